// Command figures measures what docs/performance.md shows, and prints its table: make figures. Rows that are not measured keep
// their figures, machine and date.
//
//	figures [-only REGEXP] [-time BENCHTIME] [-machine NAME] [-write] docs/performance.md
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("figures", flag.ContinueOnError)
	only := flags.String("only", "", "measure only the rows whose benchmark matches this regular expression")
	benchtime := flags.String("time", "1s", "of each benchmark, as go test takes it")
	name := flags.String("machine", "", "its name in the table; empty for processor and system")
	write := flags.Bool("write", false, "write the table to the page as well")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("usage: figures [flags] PAGE")
	}
	wanted, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return err
	}
	page, err := readPage(string(text))
	if err != nil {
		return fmt.Errorf("%s: %w", flags.Arg(0), err)
	}
	where := *name
	if where == "" {
		where = machine()
	}
	for _, f := range list {
		if !wanted.MatchString(f.key()) {
			continue
		}
		busy := load()
		output, err := bench(f, *benchtime)
		if err != nil {
			return err
		}
		r, err := f.row(output)
		if err != nil {
			return err
		}
		r.machine, r.load, r.date = where, busy, time.Now().Format(time.DateOnly)
		page.rows[f.key()] = r
	}
	fmt.Fprint(out, page.table())
	if *write {
		return os.WriteFile(flags.Arg(0), []byte(page.text()), 0o644)
	}
	return nil
}

// bench runs the benchmark of a figure and that of its reference, which are in one package.
func bench(f figure, benchtime string) (output string, err error) {
	names := []string{f.name}
	if f.reference != "" {
		names = append(names, f.reference)
	}
	for _, name := range names {
		cmd := exec.CommandContext(context.Background(), "go", "test", "-run", "^$", "-bench", pattern(name), "-benchtime", benchtime, "./"+f.pkg)
		cmd.Stderr = os.Stderr
		text, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("%s: %w\n%s", f.key(), err, text)
		}
		output += string(text)
	}
	return output, nil
}

// pattern returns what chooses one benchmark and none beside it.
func pattern(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = "^" + regexp.QuoteMeta(p) + "$"
	}
	return strings.Join(parts, "/")
}

// machine returns the processor, how many of them there are, and the system.
func machine() string {
	model := "unknown processor"
	if text, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		if found := regexp.MustCompile(`(?m)^model name\s*: (.*)$`).FindSubmatch(text); found != nil {
			model = string(found[1])
		}
	}
	system := "unknown system"
	if text, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		system = "Linux " + strings.TrimSpace(string(text))
	}
	return fmt.Sprintf("%d × %s, %s, %s", cpus(), model, system, goVersion())
}

// load returns how many threads have wanted a processor in the last minute.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
