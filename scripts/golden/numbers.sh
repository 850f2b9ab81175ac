#!/bin/sh
# Remakes test/golden/numbers: how C, Perl, Java and Python print the same doubles, and logarithms to high precision.
# Needs gcc, perl, javac, a Java 19 or later (JAVA=… chooses one) and a Python with mpmath (PYTHON=… chooses one).
# The recorded files were made with gcc 12.2 and glibc 2.36 on x86-64, Perl 5.36, Temurin 25, Python 3.11 and mpmath 1.4.
set -eu
cd "$(dirname "$0")"
out=../../test/golden/numbers
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
mkdir -p "$out"

gcc -O1 -o "$work/numbers" numbers.c
"${PYTHON:-python3}" number-values.py fixed | "$work/numbers" f >"$out/c-fixed.tsv"
"${PYTHON:-python3}" number-values.py general | "$work/numbers" g >"$out/c-general.tsv"
"${PYTHON:-python3}" number-values.py plain >"$work/plain"
perl numbers.pl "$work/plain" >"$out/perl.tsv"
javac -d "$work" numbers.java
"${JAVA:-java}" -cp "$work" Numbers "$work/plain" >"$out/java.tsv"
"${PYTHON:-python3}" number-values.py repr <"$work/plain" >"$out/python.tsv"
"${PYTHON:-python3}" number-values.py logarithms >"$out/logarithms.tsv"
