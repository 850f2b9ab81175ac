# Prints each double, given by its bits, as Perl shows a floating-point number.
while (<>) {
  chomp;
  my $x = unpack('d>', pack('H16', $_));
  print "$_\t$x\n";
}
