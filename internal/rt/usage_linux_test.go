package rt

import (
	"os"
	"runtime"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestUsage: each number grows by what it is about.
func TestUsage(t *testing.T) {
	read := func() Usage {
		t.Helper()
		u, err := ReadUsage()
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	before := read()
	const files, threads, bytes = 10, 5, 64 << 20
	for range 2 * files { // others may be closed at the same time
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
	}
	if after := read(); after.Files < before.Files+files {
		t.Errorf("%d files, %d after %d were opened", before.Files, after.Files, 2*files)
	}
	begun, end := make(chan bool), make(chan bool)
	defer close(end)
	for range before.Threads + threads {
		go func() {
			runtime.LockOSThread()
			begun <- true
			<-end
		}()
	}
	for range before.Threads + threads {
		<-begun
	}
	if after := read(); after.Threads < before.Threads+threads {
		t.Errorf("%d threads, %d after %d were held", before.Threads, after.Threads, before.Threads+threads)
	}
	memory, err := unix.Mmap(-1, 0, bytes, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		t.Fatal(err)
	}
	mapped := read()
	if mapped.Virtual < before.Virtual+bytes {
		t.Errorf("%d bytes of addresses, %d after %d were mapped", before.Virtual, mapped.Virtual, bytes)
	}
	for i := range memory {
		memory[i] = 1
	}
	if touched := read(); touched.Resident < mapped.Resident+bytes/2 { // others may lose some at the same time
		t.Errorf("%d bytes are resident, %d after %d were touched", mapped.Resident, touched.Resident, bytes)
	}
	if err := unix.Munmap(memory); err != nil {
		t.Fatal(err)
	}
	for read().CPU < before.CPU+10*time.Millisecond { // comes by itself
	}
	var limit unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil || before.MaxFiles != limit.Cur {
		t.Errorf("%d files are allowed, not %d, %v", before.MaxFiles, limit.Cur, err)
	}
	if age := time.Since(before.Started); age <= 0 || age > 24*time.Hour {
		t.Errorf("started %v ago", age)
	}
}
