// Package doctor looks at a machine and says what keeps executors from being real-time: for each point what it found,
// what is wanted, and the command that gets there.
//
//	report := doctor.Examine(os.DirFS("/"), doctor.Options{})
//	err := report.WriteText(os.Stdout)
//
// It reads files below the root of the file system and nothing else, so that a test can hand it any machine
// (testdata/machines). A value that cannot be read is unknown, never ok. The points are a table, checks; adding one is adding
// an entry and a function. How to set up a machine from the beginning is told in docs/guide-real-time.md.
package doctor
