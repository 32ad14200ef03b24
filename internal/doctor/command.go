package doctor

import (
	"fmt"
	"strings"
)

// write returns the command that writes a value into files of /proc and /sys.
func write(value string, files ...string) string {
	return fmt.Sprintf("echo %s | sudo tee /%s", value, strings.Join(files, " /"))
}

func sysctl(settings ...string) string {
	return "sudo sysctl -w " + strings.Join(settings, " ")
}

// boot returns what all findings together want on the command line of the kernel, and the command that writes it down.
func (m *machine) boot(findings []Finding) (line, command string) {
	var words []string
	for _, f := range findings {
		if f.Boot != "" {
			words = append(words, f.Boot)
		}
	}
	if len(words) == 0 {
		return "", ""
	}
	line = strings.Join(words, " ")
	return line, m.bootCommand(line)
}

// bootCommand writes words down for the next start, in place of those that were there under the same names. Grub is
// told in the way of the distribution.
func (m *machine) bootCommand(line string) string {
	var names []string
	for word := range strings.FieldsSeq(line) {
		name, _, _ := strings.Cut(word, "=")
		names = append(names, name)
	}
	if m.family("fedora", "rhel", "centos") {
		return fmt.Sprintf("sudo grubby --update-kernel=ALL --remove-args=%q --args=%q", strings.Join(names, " "), line)
	}
	update := "grub-mkconfig -o /boot/grub/grub.cfg"
	switch {
	case m.family("debian", "ubuntu"):
		update = "update-grub"
	case m.family("suse", "opensuse"):
		update = "grub2-mkconfig -o /boot/grub2/grub.cfg"
	}
	return fmt.Sprintf(`sudo sed -i -E -e 's/\b(%s)=[^ "]* ?//g' -e 's/^GRUB_CMDLINE_LINUX="/&%s /' /etc/default/grub && sudo %s`,
		strings.Join(names, "|"), line, update)
}
