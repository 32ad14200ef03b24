package facts

// Named is an element with a name.
type Named struct {
	Name string `xml:"name,attr"`
}

// Names are elements with a name; in JSON a list of strings.
type Names []Named

// MarshalJSON writes a list of strings.
func (list Names) MarshalJSON() ([]byte, error) {
	texts := []string{}
	for _, n := range list {
		texts = append(texts, n.Name)
	}
	return JSON(texts)
}

// NamesOf makes elements of names.
func NamesOf(texts []string) Names {
	var list Names
	for _, text := range texts {
		list = append(list, Named{text})
	}
	return list
}

// DeviceURI returns the address of a device of that name.
func (n Named) DeviceURI() string { return DeviceURI(n.Name) }
