/* Prints what the C library makes of texts: one line per text with the text, the bits of strtod and the result of atol.
   The texts come one per line on standard input; expected.tsv was made with glibc 2.36 on x86-64:
   cc make.c -o make && cut -f1 expected.tsv | ./make */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char line[4096];
  while (fgets(line, sizeof line, stdin)) {
    line[strcspn(line, "\n")] = 0;
    double value = strtod(line, NULL);
    uint64_t bits;
    memcpy(&bits, &value, 8);
    printf("%s\t%016llx\t%ld\n", line, (unsigned long long)bits, atol(line));
  }
  return 0;
}
