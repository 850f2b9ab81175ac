/* Reads "bits width decimals" lines and prints each with the double as printf shows it, by %*.*f or %.*g. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  uint64_t bits;
  int width, precision;
  (void)argc;
  while (scanf("%" SCNx64 " %d %d", &bits, &width, &precision) == 3) {
    double x;
    memcpy(&x, &bits, sizeof x);
    printf("%016" PRIx64 "\t%d\t%d\t", bits, width, precision);
    printf(argv[1][0] == 'f' ? "%*.*f\n" : "%*.*g\n", width, precision, x);
  }
  return 0;
}
