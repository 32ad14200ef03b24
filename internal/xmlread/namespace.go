package xmlread

const (
	xmlns       = "xmlns"
	xmlPrefix   = "xml" // needs no declaration
	ofXMLPrefix = "http://www.w3.org/XML/1998/namespace"
)

// namespaces are the declarations around a place.
type namespaces struct {
	list   []declared
	newest map[string]int // by prefix: in list
}

type declared struct {
	prefix, space string
	hides         int // another one of the prefix, -1 for none
}

func (n *namespaces) declare(prefix, space string) {
	if n.newest == nil {
		n.newest = map[string]int{}
	}
	hides, has := n.newest[prefix]
	if !has {
		hides = -1
	}
	n.newest[prefix] = len(n.list)
	n.list = append(n.list, declared{prefix, space, hides})
}

// undo takes back all declarations but the first ones.
func (n *namespaces) undo(first int) {
	for len(n.list) > first {
		last := n.list[len(n.list)-1]
		if last.hides >= 0 {
			n.newest[last.prefix] = last.hides
		} else {
			delete(n.newest, last.prefix)
		}
		n.list = n.list[:len(n.list)-1]
	}
}

// resolve finds the namespace of a name. An attribute without prefix has none.
func (n *namespaces) resolve(name Name, element bool) Name {
	switch {
	case name.Prefix == "" && (!element || len(n.list) == 0):
		return name
	case name.Prefix == xmlPrefix:
		name.Space = ofXMLPrefix
		return name
	}
	if k, found := n.newest[name.Prefix]; found && name.Prefix != xmlns {
		name.Space = n.list[k].space
	} else if name.Prefix != "" {
		name.Space, name.Unbound = name.Prefix, true
	}
	return name
}
