package device

import "github.com/softrobot-rcc/rccd/internal/figures"

// Count is a counter, as pages show it.
type Count struct {
	What  string `xml:"what,attr" json:"what"`
	Count uint64 `xml:"count,attr" json:"count"`
}

// Times is a distribution of durations, as pages show it.
type Times struct {
	What   string `xml:"what,attr" json:"what"`
	Count  uint64 `xml:"count,attr" json:"count"`
	Mean   string `xml:"mean,attr" json:"mean"`
	Median string `xml:"p50,attr" json:"p50"`
	P99    string `xml:"p99,attr" json:"p99"`
	P999   string `xml:"p99.9,attr" json:"p99.9"`
	Max    string `xml:"max,attr" json:"max"`
}

// TimesOf converts a distribution.
func TimesOf(what string, d *figures.Distribution) Times {
	return Times{
		What: what, Count: d.Count, Mean: d.Mean.String(), Median: d.Quantile(0.5).String(),
		P99: d.Quantile(0.99).String(), P999: d.Quantile(0.999).String(), Max: d.Max.String(),
	}
}
