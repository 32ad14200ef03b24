#!/bin/sh
# Generates internal/antlr from the grammars in antlr/; with --check it only compares the two.
set -eu

jar_sha256=156a885bdaf847601d4b0350185dfaa5c4aee36c9a9c4c1632c31b0381360d39

if ! command -v java >/dev/null 2>&1 || ! command -v npm >/dev/null 2>&1; then
	echo 'skip: regenerating the grammar needs java and npm'
	exit 0
fi

here=$(cd "$(dirname "$0")" && pwd)
tools=$here/../tools
committed=$here/internal/antlr

if ! (cd "$tools" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null 2>&1); then
	if [ "${1-}" = --check ]; then
		echo 'skip: the generator cannot be had from the npm registry'
		exit 0
	fi
	echo 'the generator cannot be had from the npm registry' >&2
	exit 1
fi
jar=$(echo "$tools"/node_modules/antlr4ng-cli/*.jar)
echo "$jar_sha256  $jar" | sha256sum --check --quiet -

fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT

# The generated files name the grammar as it was given, hence the relative paths.
cd "$here/antlr"
for grammar in NetLexer NetParser Statement Cond; do
	java -jar "$jar" -Dlanguage=Go -Werror -Xexact-output-dir -no-listener -no-visitor \
		-package antlr -lib "$fresh" -o "$fresh" "$grammar.g4"
done
rm "$fresh"/*.interp "$fresh"/*.tokens

if [ "${1-}" = --check ]; then
	diff -r "$fresh" "$committed"
	exit
fi
mkdir -p "$committed"
rm -f "$committed"/*.go
cp "$fresh"/*.go "$committed"/
