package doctor

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCommandsGetThere executes, in a copy of each machine, what the report says, and then asks again: whatever was
// written or put on the command line of the kernel is then found to be ok.
func TestCommandsGetThere(t *testing.T) {
	if _, err := exec.LookPath("sed"); err != nil {
		t.Skip("skip: no sed: the commands of reports are not executed")
	}
	// A shell that moved to another group, and a core whose first thread is the one that stays, need another examination.
	elsewhere := []string{"groups rt-group", "groups smt"}
	for _, name := range machines(t) {
		t.Run(name, func(t *testing.T) {
			c := copyOf(t, name)
			r := Examine(os.DirFS(c.root), Options{CPUs: Examine(record(t, name), Options{}).CPUs})
			var treated []string
			for _, f := range r.Findings {
				written := strings.HasPrefix(f.Command, "echo ") || strings.HasPrefix(f.Command, "sudo sysctl ")
				if !written && f.Boot == "" || slices.Contains(elsewhere, name+" "+f.Name) {
					continue
				}
				if written {
					c.run(f.Command)
				}
				treated = append(treated, f.Name)
			}
			if r.Boot != "" {
				c.run(r.BootCommand)
				c.run(r.BootCommand) // again does no harm
				c.boot()
			}
			c.react()
			for _, f := range Examine(os.DirFS(c.root), Options{CPUs: r.CPUs}).Findings {
				if slices.Contains(treated, f.Name) && f.Verdict != OK {
					t.Errorf("%s is still %v: found %s, wanted %s", f.Name, f.Verdict, f.Found, f.Wanted)
				}
			}
		})
	}
}

// copied is a machine below a folder, where commands may do as they like.
type copied struct {
	*testing.T
	root, bin string
}

func copyOf(t *testing.T, name string) *copied {
	t.Helper()
	c := &copied{T: t, root: t.TempDir(), bin: t.TempDir()}
	m := record(t, name)
	for file, f := range m.MapFS {
		place := filepath.Join(c.root, file)
		if f.Mode.IsDir() {
			c.must(os.MkdirAll(place, 0o755))
			continue
		}
		c.must(os.MkdirAll(filepath.Dir(place), 0o755))
		c.must(os.WriteFile(place, f.Data, 0o644))
	}
	c.shim("sudo", `exec "$@"`)
	c.shim("sysctl", `shift
for s; do echo "${s#*=}" > "$ROOT/proc/sys/$(echo "${s%%=*}" | tr . /)"; done`)
	c.shim("update-grub", `. "$ROOT/etc/default/grub"; echo "$GRUB_CMDLINE_LINUX" > "$ROOT/next"`)
	c.shim("grubby", `for a; do case $a in --args=*) echo "${a#--args=}" > "$ROOT/next";; esac; done`)
	return c
}

func (c *copied) must(err error) {
	c.Helper()
	if err != nil {
		c.Fatal(err)
	}
}

func (c *copied) shim(name, script string) {
	c.Helper()
	c.must(os.WriteFile(filepath.Join(c.bin, name), []byte("#!/bin/sh -e\n"+script+"\n"), 0o755))
}

// run executes a command in the copy.
func (c *copied) run(command string) {
	c.Helper()
	for _, folder := range []string{"sys", "proc", "etc"} {
		command = strings.ReplaceAll(command, " /"+folder+"/", ` "$ROOT"/`+folder+"/")
	}
	cmd := exec.CommandContext(c.Context(), "sh", "-ec", command)
	cmd.Env = []string{"ROOT=" + c.root, "PATH=" + c.bin + ":" + os.Getenv("PATH")}
	if out, err := cmd.CombinedOutput(); err != nil {
		c.Errorf("%s: %v\n%s", command, err, out)
	}
}

func (c *copied) read(name string) string {
	text, _ := os.ReadFile(filepath.Join(c.root, name))
	return strings.TrimSpace(string(text))
}

func (c *copied) write(name, text string) {
	c.Helper()
	c.must(os.WriteFile(filepath.Join(c.root, name), []byte(text+"\n"), 0o644))
}

// boot does what a kernel does with its command line.
func (c *copied) boot() {
	c.Helper()
	line := c.read("next")
	c.write("proc/cmdline", c.read("proc/cmdline")+" "+line)
	seen := map[string]bool{}
	for word := range strings.FieldsSeq(line) {
		name, value, _ := strings.Cut(word, "=")
		if seen[name] {
			c.Errorf("%s is there twice: %s", name, line)
		}
		seen[name] = true
		switch name {
		case "isolcpus":
			c.write(sysCPU+"/isolated", strings.TrimPrefix(value, "managed_irq,domain,"))
		case "nohz_full":
			c.write(sysCPU+"/nohz_full", value)
		case "irqaffinity":
			list, err := ParseCPUs(value)
			c.must(err)
			c.write(procIRQ+"/default_smp_affinity", list.mask())
		}
	}
}

// react does what a kernel does with what was written.
func (c *copied) react() {
	c.Helper()
	root := os.DirFS(c.root)
	// A setting in effect moves when it is no longer allowed.
	follow := func(pattern, allowed, effective string) {
		files, err := fs.Glob(root, pattern+"/"+effective)
		c.must(err)
		for _, file := range files {
			may, err := ParseCPUs(c.read(filepath.Join(filepath.Dir(file), allowed)))
			c.must(err)
			now, err := ParseCPUs(c.read(file))
			c.must(err)
			if len(now.without(may)) > 0 || strings.HasSuffix(effective, "cpus") {
				c.write(file, may.String())
			}
		}
	}
	follow("proc/irq/*", "smp_affinity_list", "effective_affinity_list")
	follow("sys/fs/cgroup/cpuset/*", "cpuset.cpus", "cpuset.effective_cpus")
	for _, choice := range []string{"sys/kernel/mm/transparent_hugepage/enabled", "sys/module/pcie_aspm/parameters/policy"} {
		if text := c.read(choice); text != "" && !strings.Contains(text, "[") {
			c.write(choice, "["+text+"]")
		}
	}
	online, err := ParseCPUs(c.read(sysCPU + "/online"))
	c.must(err)
	for _, n := range online {
		if c.read(cpuFile(n, "online")) == "0" {
			c.write(sysCPU+"/online", online.without(CPUs{n}).String())
		}
	}
}
