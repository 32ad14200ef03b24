package grammar

// Str returns a string parameter.
func Str(text string) Param { return Param{Kind: String, Text: text} }

// Strs returns a list of strings.
func Strs(texts ...string) Param {
	p := Param{Kind: List}
	for _, text := range texts {
		p.Items = append(p.Items, Str(text))
	}
	return p
}

// MapOf returns a map; keys and items belong together pairwise.
func MapOf(keys []string, items []Param) Param {
	return Param{Kind: Map, Keys: keys, Items: items}
}
