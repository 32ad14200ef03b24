package telegram

// Fault is a mistake in a telegram.
type Fault uint8

// Faults of a telegram.
const (
	Good      Fault = iota
	TooLong         // beyond Longest
	NotXML          // or more of XML than telegrams need
	TooDeep         // elements in elements in elements
	OtherRoot       // a document, but not a telegram of this kind
	NoStamp         // IPOC is missing, or no number of 64 bits
	BadNumber       // a value is not of its kind
	Twice           // a value occurs more than once
)

func (f Fault) String() string {
	switch f {
	case Good:
		return "good"
	case TooLong:
		return "longer than telegrams are"
	case NotXML:
		return "no XML, or more of it than telegrams need"
	case TooDeep:
		return "elements too deep in each other"
	case OtherRoot:
		return "not a telegram of this kind"
	case NoStamp:
		return "IPOC is missing or no number"
	case BadNumber:
		return "a value is not of its kind"
	case Twice:
		return "a value is there more than once"
	}
	return "?"
}

// Longest is the length from which texts are refused.
const Longest = 8 << 10
