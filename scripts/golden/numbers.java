import java.nio.file.Files;
import java.nio.file.Path;

/** Prints each double, given by its bits, as Double.toString shows it. */
class Numbers {
  public static void main(String[] args) throws Exception {
    StringBuilder out = new StringBuilder();
    for (String bits : Files.readAllLines(Path.of(args[0])))
      out.append(bits).append('\t').append(Double.longBitsToDouble(Long.parseUnsignedLong(bits, 16))).append('\n');
    System.out.print(out);
  }
}
