#!/bin/sh
# What RankLib 2.10.1 writes for several models, normalised features and judgements from elsewhere:
#
#   RANKLIB_CLASSPATH='ranklib-2.10.1.jar:commons-math3-3.6.1.jar' sh scripts/golden/ranklib.sh
#
# Both files are on Maven Central (org.codelibs:ranklib, org.apache.commons:commons-math3). Runs in test/golden/letor/data and
# writes to test/golden/ranklib. Each line below is: name, then RankLib's arguments, OUT standing for the file.
set -eu
here=$(cd "$(dirname "$0")/../.." && pwd)
cd "$here/test/golden/letor/data"
while read -r name arguments; do
  out="$here/test/golden/ranklib/$name.out"
  # shellcheck disable=SC2086
  java -cp "$RANKLIB_CLASSPATH" ciir.umass.edu.eval.Evaluator $(echo "$arguments" | sed "s#OUT#$out#") >/dev/null 2>&1 </dev/null
done < "$here/test/golden/ranklib/cases.txt"
