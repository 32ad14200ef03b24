package doctor

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// CPUs are numbers of CPUs, in order and each once. Written as the kernel writes lists: 0-2,5.
type CPUs []int

// mostCPUs is how many a kernel can be built for at most (CONFIG_NR_CPUS).
const mostCPUs = 8192

// ParseCPUs reads a list of CPUs; an empty text is none.
func ParseCPUs(text string) (CPUs, error) {
	list := CPUs{}
	if text == "" {
		return list, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		a, errA := cpu(first)
		b, errB := cpu(last)
		if errA != nil || errB != nil || a > b {
			return nil, fmt.Errorf("%q is not a list of CPUs such as 2,3 or 2-3", text)
		}
		for n := a; n <= b; n++ {
			list = append(list, n)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}

func cpu(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 0)
	if err == nil && n >= mostCPUs {
		err = strconv.ErrRange
	}
	return int(n), err
}

// parseMask reads a mask of CPUs in hexadecimal, in groups of 32 bits with commas between them.
func parseMask(text string) (CPUs, error) {
	mask, ok := new(big.Int).SetString(strings.ReplaceAll(text, ",", ""), 16)
	if !ok || mask.Sign() < 0 || mask.BitLen() > mostCPUs {
		return nil, fmt.Errorf("%q is not a mask of CPUs", text)
	}
	list := CPUs{}
	for n := range mask.BitLen() {
		if mask.Bit(n) == 1 {
			list = append(list, n)
		}
	}
	return list, nil
}

func (c CPUs) String() string {
	var parts []string
	for i := 0; i < len(c); {
		last := i
		for last+1 < len(c) && c[last+1] == c[last]+1 {
			last++
		}
		switch last - i {
		case 0:
			parts = append(parts, strconv.Itoa(c[i]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", c[i], c[last]))
		}
		i = last + 1
	}
	return strings.Join(parts, ",")
}

// Set makes a flag of it.
func (c *CPUs) Set(text string) error {
	list, err := ParseCPUs(text)
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("no CPU in the list")
	}
	*c = list
	return err
}

// mask returns the list as the kernel takes masks.
func (c CPUs) mask() string {
	mask := new(big.Int)
	for _, n := range c {
		mask.SetBit(mask, n, 1)
	}
	digits := mask.Text(16)
	for i := len(digits) - 8; i > 0; i -= 8 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func (c CPUs) has(n int) bool { return slices.Contains(c, n) }

// without returns what is in c and not in d.
func (c CPUs) without(d CPUs) CPUs {
	return slices.DeleteFunc(slices.Clone(c), d.has)
}

// both returns what is in c and in d.
func (c CPUs) both(d CPUs) CPUs {
	return slices.DeleteFunc(slices.Clone(c), func(n int) bool { return !d.has(n) })
}
