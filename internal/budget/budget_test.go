package budget_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/softrobot-rcc/rccd/internal/budget"
)

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	b := budget.New(100 << 20)
	first, second := b.Open("rpinet0", "", 0), b.Open("rpinet1", "", 0)
	for _, a := range []*budget.Account{first, second} {
		if err := a.Take(budget.Histories, 40<<20); err != nil {
			t.Fatal(err)
		}
	}
	err := b.Open("rpinet2", "", 0).Take(budget.Histories, 30<<20)
	const want = "rpinet2: it needs 30 MiB more for arrays and histories, and 80 MiB of the 100 MiB for all clients are in use: " +
		"rpinet0 uses 40 MiB, rpinet1 uses 40 MiB"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	first.Close()
	if err := second.Take(budget.Values, 60<<20); err != nil {
		t.Errorf("all that is left: %v", err)
	}
	if got := b.Usage(); got.Used != 100<<20 || got.Of["values"] != 60<<20 || got.Of["arrays and histories"] != 40<<20 {
		t.Errorf("%+v", got)
	}
}

func TestOnlySomeUsersAreNamed(t *testing.T) {
	b := budget.New(1000)
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "f"} {
		if err := b.Open(name, "", 0).Take(budget.Texts, 100); err != nil {
			t.Fatal(err)
		}
	}
	err := b.Open("h", "", 0).Take(budget.Texts, 201)
	const want = "h: it needs 201 bytes more for texts, and 800 bytes of the 1000 bytes for all clients are in use: " +
		"f uses 200 bytes, a uses 100 bytes, b uses 100 bytes, c uses 100 bytes, d uses 100 bytes, 2 others use 200 bytes"
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
}

func TestGroupsHaveQuotas(t *testing.T) {
	b := budget.New(1000)
	const quota = 300
	first, second := b.Open("rpinet0", `session "s1"`, quota), b.Open("rpinet1", `session "s1"`, quota)
	other := b.Open("rpinet2", `session "s2"`, quota)
	if err := errors.Join(first.Take(budget.Texts, 200), other.Take(budget.Texts, 250)); err != nil {
		t.Fatal(err)
	}
	err := second.Take(budget.Texts, 101)
	const want = `rpinet1: it needs 101 bytes more for texts, and session "s1" uses 200 bytes of its 300 bytes`
	if err == nil || err.Error() != want {
		t.Errorf("%v\nwant %s", err, want)
	}
	if got := second.TakeUpTo(budget.Recordings, 500); got != 100 {
		t.Errorf("granted %d", got)
	}
	first.Close()
	if err := second.Take(budget.Texts, 200); err != nil {
		t.Errorf("after the other account of the group was closed: %v", err)
	}
	second.Close()
	if err := b.Open("rpinet3", `session "s1"`, quota).Take(budget.Texts, quota); err != nil {
		t.Errorf("a group of which all accounts were closed: %v", err)
	}
}

// A budget is a sum: of what is taken and not given back, by account, group and kind. In the end nothing is left.
func TestBudgetIsASum(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const most, quota = 1000, 500
		b := budget.New(most)
		type user struct {
			account *budget.Account
			group   int
			of      map[budget.Kind]int64
		}
		var open []*user
		sum := func(group int) (s int64) {
			for _, u := range open {
				for _, n := range u.of {
					if group == 0 || u.group == group {
						s += n
					}
				}
			}
			return s
		}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(open) == 0 || rapid.IntRange(0, 4).Draw(t, "open") == 0 {
				g := rapid.IntRange(0, 2).Draw(t, "group")
				open = append(open, &user{b.Open("u", []string{"", "g1", "g2"}[g], quota), g, map[budget.Kind]int64{}})
			}
			i := rapid.IntRange(0, len(open)-1).Draw(t, "user")
			u, kind := open[i], budget.Kind(rapid.IntRange(0, 7).Draw(t, "kind"))
			n := int64(rapid.IntRange(0, 400).Draw(t, "bytes"))
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				u.account.Give(kind, n)
				u.of[kind] -= min(n, u.of[kind])
			case 1:
				u.account.Close()
				u.account.Close()
				open = append(open[:i:i], open[i+1:]...)
				if u.account.Take(kind, 1) == nil {
					t.Fatal("a closed account takes")
				}
			default:
				fits := sum(0)+n <= most && (u.group == 0 || sum(u.group)+n <= quota)
				if err := u.account.Take(kind, n); (err == nil) != fits {
					t.Fatalf("%d bytes with %d in use, %d by the group: %v", n, sum(0), sum(u.group), err)
				}
				if fits {
					u.of[kind] += n
				}
			}
			if got := b.Usage().Used; got != sum(0) {
				t.Fatalf("%d in use, not %d", got, sum(0))
			}
		}
		for _, u := range open {
			u.account.Close()
		}
		for kind, n := range b.Usage().Of {
			if n != 0 {
				t.Fatalf("%d bytes of %s are left", n, kind)
			}
		}
	})
}
