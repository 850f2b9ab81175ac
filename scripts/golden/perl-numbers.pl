# How Perl reads numbers: prints each text, as hexadecimal bytes, and the bits of the double that Perl makes of it.
# perl scripts/golden/perl-numbers.pl >test/golden/perl-numbers/read.tsv     (recorded with Perl 5.36.0 on x86-64 Linux)
srand(20);
my @texts = (
  '', ' ', '0', '-0', '-0.0', '-0e5', '+0', '7', '+5', '-5', '  3', "\t7\r", "8\r", '-  3', '--3', '+-3', '.5', '-.5e1', '5.', '.', '-', '+', 'e5', '.e5',
  '1e', '1e+', '1e-', '1e5x', '1e+5', '1E-5', '1e 5', '1.5.2', '4x', '6 9', '1_000', '0x10', '-0x10', '0X1F', '0b11', '0 but true', 'abc', "\x{e9}",
  'inf', 'INF', 'Inf', '-inf', '+inf', 'infinity', '-Infinity', 'infxyz', 'infi', 'in', 'i', 'nan', 'NaN', '-nan', 'nanq', 'nan(12)', 'nan1', 'na', ' inf',
  '1#INF', '1.#INF', '-1.#INF', '1.#INF00', '1.#IND', '-1.#IND', '1.#QNAN', '1.#X', '1#', '12.#INF', '1e400', '-1e400', '1e-400', '1e99999999999',
  '0.1000000000000000055511151231257827', '9007199254740993', '18446744073709551615', '18446744073709551616', '123456789012345678901234567890', '00012', '-00.5',
);
push @texts, sprintf('%.*f', int(rand(18)), (rand() - 0.5) * 10**int(rand(6))) for 1 .. 400;
push @texts, sprintf('%.*e', int(rand(18)), (rand() - 0.5) * 10**(int(rand(60)) - 30)) for 1 .. 400;
no warnings;
for my $text (@texts) {
  my $bits = unpack('H16', pack('d>', $text + 0));
  $bits = 'nan' if ($text + 0) != ($text + 0);
  print unpack('H*', $text), "\t$bits\n";
}
