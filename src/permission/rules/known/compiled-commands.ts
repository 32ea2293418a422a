import type { KnownCommand } from './known-command.js';

const CARGO = 'https://doc.rust-lang.org/cargo/commands';
const OF_CARGO = [
  '--release --workspace --all --all-targets --all-features --no-default-features --features=names --package=name --lib --bins --bin=name',
  '--tests --test=name --example=name --examples',
  '--benches --bench=name -q --quiet -v --verbose --locked --offline --frozen -j=number --jobs=number --keep-going --profile=profile',
  '--target=triple --message-format=reporter',
].join(' ');
const OF_LIBTEST = '--nocapture --test-threads=number --ignored --include-ignored --exact --show-output --list --skip=cargoFilter -q --quiet';

/** Without `--config`, `--manifest-path`, `-Z`, a toolchain (`+x`), and folders to write to. */
const RUST: readonly KnownCommand[] = [
  ...['build', 'check', 'doc', 'tree'].map((name): KnownCommand => ({
    words: `cargo ${name}`,
    options: `${OF_CARGO} --no-deps`,
    source: `${CARGO}/cargo-${name}.html`,
  })),
  {
    words: 'cargo test',
    options: `${OF_CARGO} --no-run --doc --no-fail-fast`,
    operands: 'cargoFilter',
    behind: { options: OF_LIBTEST, operands: 'cargoFilter' },
    source: `${CARGO}/cargo-test.html`,
  },
  { words: 'cargo bench', options: `${OF_CARGO} --no-run`, operands: 'cargoFilter', source: `${CARGO}/cargo-bench.html` },
  { words: 'cargo nextest run', options: `${OF_CARGO} --no-fail-fast --no-capture`, operands: 'cargoFilter', source: 'https://nexte.st/docs/running/' },
  {
    words: 'cargo clippy',
    options: `${OF_CARGO} --fix --allow-dirty --allow-staged --no-deps`,
    behind: { options: '-D=lint -W=lint -A=lint' },
    source: 'https://doc.rust-lang.org/clippy/usage.html',
  },
  { words: 'cargo fmt', options: '--all --check -q --quiet -v --verbose', behind: { options: '--check' }, source: 'https://github.com/rust-lang/rustfmt' },
  { words: 'cargo run', options: OF_CARGO, source: `${CARGO}/cargo-run.html` },
];

const GO = 'https://pkg.go.dev/cmd/go';
const OF_GO = '-v -race -tags=names -trimpath -short -json -p=number';
const OF_GO_TEST = [
  '-cover -run=text -skip=text -bench=text -count=number -timeout=number',
  '-failfast -parallel=number -benchmem -shuffle=traceback -coverprofile=coverageFile',
].join(' ');

/** Without `-exec`, `-toolexec`, flags of the compiler and linker, `-modfile`, `-overlay`, and files to write. */
const GOLANG: readonly KnownCommand[] = [
  { words: 'go test', options: `${OF_GO} ${OF_GO_TEST}`, operands: 'goPackage', singleDash: true, source: `${GO}#hdr-Testing_flags` },
  ...['build', 'vet', 'fmt'].map((name): KnownCommand => ({
    words: `go ${name}`,
    options: name === 'fmt' ? '-n' : OF_GO,
    operands: 'goPackage',
    singleDash: true,
    source: GO,
  })),
  ...['tidy', 'verify', 'graph', 'download'].map((name): KnownCommand => ({
    words: `go mod ${name}`,
    options: '-v',
    singleDash: true,
    source: 'https://go.dev/ref/mod',
  })),
  { words: 'gofmt', options: '-l -w -s', operands: 'path', singleDash: true, source: 'https://pkg.go.dev/cmd/gofmt' },
  {
    words: 'golangci-lint run',
    options: '--fix --timeout=number --fast --fast-only --verbose -v',
    operands: 'goPackage',
    source: 'https://golangci-lint.run/docs/',
  },
];

/** Targets of files of the project, one at a time: a rule for one is not about another. */
const BUILDS: readonly KnownCommand[] = [
  ...['make', 'gmake'].flatMap((program) =>
    ['', ' <target>'].map((target): KnownCommand => ({
      words: `${program}${target}`,
      options: '-j=number -k --keep-going -s --silent -n --dry-run -B --always-make --no-print-directory',
      ...(target === '' ? { unoffered: true } : {}),
      source: 'https://www.gnu.org/software/make/manual/html_node/Options-Summary.html',
    })),
  ),
  { words: 'just <target>', options: '--dry-run -n --quiet -q --verbose -v', source: 'https://just.systems/man/en/' },
  { words: 'task <target>', options: '--silent -s --parallel --dry -n --verbose -v', source: 'https://taskfile.dev/docs/reference/cli' },
  { words: 'rake <target>', options: '--trace -q --quiet -v --verbose --silent', source: 'https://ruby.github.io/rake/' },
  {
    words: 'ctest',
    options: '--output-on-failure -V -VV -j=number -R=text --rerun-failed --parallel=number',
    source: 'https://cmake.org/cmake/help/latest/manual/ctest.1.html',
  },
  ...['build', 'test'].map((name): KnownCommand => ({
    words: `bazel ${name}`,
    options: '--test_output=output -k --keep_going --jobs=number -j=number --cache_test_results=bool',
    operands: 'bazelLabel',
    source: 'https://bazel.build/reference/command-line-reference',
  })),
  ...['gradle', './gradlew'].map((program): KnownCommand => ({
    words: program,
    options: [
      '--info --stacktrace --console=output --offline --no-daemon --parallel --continue -q --quiet --tests=text --rerun-tasks',
      '-x=gradleTask --build-cache --no-build-cache',
    ].join(' '),
    operands: 'gradleTask',
    source: 'https://docs.gradle.org/current/userguide/command_line_interface.html',
  })),
  ...['mvn', './mvnw'].map((program): KnownCommand => ({
    words: program,
    options: '-q -o -B -U -e -ntp --no-transfer-progress --batch-mode --offline --quiet -Dtest=name -Dit.test=name -DskipTests -DskipTests=bool -DskipITs',
    operands: 'mavenPhase',
    singleDash: true,
    source: 'https://maven.apache.org/ref/current/maven-embedder/cli.html',
  })),
  ...['build', 'test', 'format', 'restore', 'clean'].map((name): KnownCommand => ({
    words: `dotnet ${name}`,
    options: [
      '--no-build --no-restore -c=configuration --configuration=configuration --filter=text --verbosity=output -v=output --nologo',
      '--verify-no-changes --list-tests -t',
    ].join(' '),
    source: `https://learn.microsoft.com/dotnet/core/tools/dotnet-${name}`,
  })),
  ...['build', 'test'].map((name): KnownCommand => ({
    words: `swift ${name}`,
    options: '-v --verbose --filter=text --skip=text --parallel -c=configuration --configuration=configuration',
    source: 'https://docs.swift.org/swiftpm/documentation/packagemanagerdocs/',
  })),
];

/** Programs of projects in Rust, Go, C, Java, C#, and Swift, and what builds projects in any language. */
export const COMPILED_COMMANDS: readonly KnownCommand[] = [...RUST, ...GOLANG, ...BUILDS];
