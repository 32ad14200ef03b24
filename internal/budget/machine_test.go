package budget_test

import (
	"math"
	"testing"
	"testing/fstest"

	"github.com/softrobot-rcc/rccd/internal/budget"
)

const (
	mountV1   = "35 31 0:31 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n36 31 0:32 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n"
	mountV2   = "41 31 0:38 / /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw\n"
	inDocker  = "41 31 0:38 /docker/abc /sys/fs/cgroup ro,relatime - cgroup2 cgroup2 rw\n"
	infinite1 = "9223372036854771712\n" // as version 1 writes no limit
)

func TestMachine(t *testing.T) {
	const total = "MemTotal:       8388608 kB\nMemFree:         100 kB\n"
	for name, tt := range map[string]struct {
		files map[string]string
		want  int64
		by    string
	}{
		"nothing":     {nil, math.MaxInt64, "nothing known"},
		"the machine": {map[string]string{"proc/meminfo": total}, 8 << 30, "the memory of the machine"},
		"version 2": {map[string]string{
			"proc/meminfo": total, "proc/self/mountinfo": mountV2, "proc/self/cgroup": "0::/system.slice/rccd.service\n",
			"sys/fs/cgroup/system.slice/rccd.service/memory.max": "1073741824\n", "sys/fs/cgroup/system.slice/memory.max": "max\n",
		}, 1 << 30, "/sys/fs/cgroup/system.slice/rccd.service/memory.max"},
		"version 2, a group around it allows less": {map[string]string{
			"proc/meminfo": total, "proc/self/mountinfo": mountV2, "proc/self/cgroup": "0::/a/b/c\n",
			"sys/fs/cgroup/a/b/c/memory.max": "1073741824\n", "sys/fs/cgroup/a/b/memory.max": "max\n", "sys/fs/cgroup/a/memory.max": "536870912\n",
		}, 512 << 20, "/sys/fs/cgroup/a/memory.max"},
		"version 2, the own group is the root": {map[string]string{
			"proc/self/mountinfo": mountV2, "proc/self/cgroup": "0::/\n", "sys/fs/cgroup/memory.max": "1048576\n",
		}, 1 << 20, "/sys/fs/cgroup/memory.max"},
		"version 2 in a container": {map[string]string{
			"proc/self/mountinfo": inDocker, "proc/self/cgroup": "0::/docker/abc\n", "sys/fs/cgroup/memory.max": "1048576\n",
		}, 1 << 20, "/sys/fs/cgroup/memory.max"},
		"version 2 in a container that knows nothing of its own group": {map[string]string{
			"proc/self/mountinfo": inDocker, "proc/self/cgroup": "0::/elsewhere\n", "sys/fs/cgroup/memory.max": "1048576\n",
		}, 1 << 20, "/sys/fs/cgroup/memory.max"},
		"version 1": {map[string]string{
			"proc/meminfo": total, "proc/self/mountinfo": mountV1, "proc/self/cgroup": "5:devices:/\n4:memory:/a/b\n1:cpu:/x\n",
			"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": infinite1, "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "1073741824\n",
			"sys/fs/cgroup/cpu/x/memory.limit_in_bytes": "1\n",
		}, 1 << 30, "/sys/fs/cgroup/memory/a/memory.limit_in_bytes"},
		"version 1 and 2 beside each other": {map[string]string{
			"proc/meminfo": total, "proc/self/mountinfo": mountV1 + "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n",
			"proc/self/cgroup": "4:memory:/a\n0::/u\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes": "2147483648\n", "sys/fs/cgroup/unified/u/memory.max": "1073741824\n",
		}, 1 << 30, "/sys/fs/cgroup/unified/u/memory.max"},
		"ulimit -v": {map[string]string{
			"proc/meminfo": total, "proc/self/limits": "Limit                     Soft Limit           Hard Limit           Units     \n" +
				"Max data size             unlimited            unlimited            bytes     \n" +
				"Max address space         4294967296           unlimited            bytes     \n",
		}, 4 << 30, `the resource limit "Max address space"`},
		"nonsense": {map[string]string{
			"proc/meminfo": "MemTotal:\nMemTotal: x kB\nMemTotal: 99999999999999999 kB\n", "proc/self/mountinfo": "x - \n - cgroup2\n" + mountV2,
			"proc/self/cgroup": "0\n0::\n:::\n0::../../..\n", "proc/self/limits": "Max address space\nMax data size -1\n",
		}, math.MaxInt64, "nothing known"},
	} {
		t.Run(name, func(t *testing.T) {
			files := fstest.MapFS{}
			for file, text := range tt.files {
				files[file] = &fstest.MapFile{Data: []byte(text)}
			}
			if got := budget.Machine(files); got != (budget.Allowed{Bytes: tt.want, By: tt.by}) {
				t.Errorf("%+v, want %d by %s", got, tt.want, tt.by)
			}
		})
	}
}
