package cyclecheck

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/callgraph"
	"golang.org/x/tools/go/callgraph/cha"
	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// sites is the generated table of the targets of calls, as the source has them: which functions a call may reach, by
// the lines of the call. It follows every value of a function, and every dynamic type, through the whole program
// (variable type analysis).
type sites struct {
	module, dir string

	prog  *ssa.Program
	files *token.FileSet
	from  map[token.Pos]token.Pos // where the call begins whose parenthesis is there
	uses  map[*types.Func][]place // of generic functions

	at     map[place]*site
	inside map[string]*site // of wrappers that the compiler writes, by their canonical names
}

// site is what the source knows of the calls of a line. Those with one target are kept too, because the compiler makes
// some of them through a pointer: in generic functions through a dictionary.
type site struct {
	dynamic, static map[*ssa.Function]bool
}

var errSource = errors.New("the source has errors")

func readSites(ctx context.Context, dir, pattern string, env []string) (*sites, error) {
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes |
			packages.NeedModule,
		Context: ctx, Dir: dir, Env: env,
	}, pattern)
	if err != nil {
		return nil, err
	}
	s := &sites{
		from: map[token.Pos]token.Pos{}, uses: map[*types.Func][]place{},
		at: map[place]*site{}, inside: map[string]*site{},
	}
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		for _, e := range p.Errors {
			err = fmt.Errorf("%w: %w", errSource, e)
		}
		for _, file := range p.Syntax {
			ast.Inspect(file, s.begins)
		}
		for name := range p.TypesInfo.Instances {
			if fn, ok := p.TypesInfo.Uses[name].(*types.Func); ok {
				at := p.Fset.Position(name.Pos())
				s.uses[fn] = append(s.uses[fn], place{at.Filename, at.Line})
			}
		}
	})
	if err != nil {
		return nil, err
	}
	if len(pkgs) != 1 || pkgs[0].Module == nil {
		return nil, fmt.Errorf("%w: not one program of a module", errSource)
	}
	s.module, s.dir = pkgs[0].Module.Path, pkgs[0].Module.Dir
	s.prog, _ = ssautil.AllPackages(pkgs, ssa.InstantiateGenerics)
	s.prog.Build()
	s.files = s.prog.Fset
	s.fill()
	return s, nil
}

func (s *sites) begins(n ast.Node) bool {
	if call, ok := n.(*ast.CallExpr); ok {
		s.from[call.Lparen] = call.Pos()
	}
	return true
}

// fill looks for the targets of every call. For functions that take and return nothing it follows values through the whole
// program (VTA). For all others each function of the signature counts whose value is taken, and each type that has the
// method (CHA): loading hands values through reflection, where they cannot be followed, and in the cycle this costs nothing.
func (s *sites) fill() {
	all := ssautil.AllFunctions(s.prog)
	for fn := range all {
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if call, ok := i.(ssa.CallInstruction); ok {
					s.of(call) // known, even if it has no target
				}
			}
		}
	}
	types := cha.CallGraph(s.prog)
	s.add(types, func(call *ssa.CallCommon) bool { return !isPlain(call) })
	s.add(vta.CallGraph(all, types), isPlain)
}

// isPlain tells whether a call is one of a value of type func().
func isPlain(call *ssa.CallCommon) bool {
	return !call.IsInvoke() && call.Signature().Params().Len()+call.Signature().Results().Len() == 0
}

// add takes the targets of some calls over.
func (s *sites) add(g *callgraph.Graph, some func(*ssa.CallCommon) bool) {
	for _, node := range g.Nodes {
		for _, e := range node.Out {
			if e.Site == nil || !some(e.Site.Common()) {
				continue
			}
			for _, at := range s.of(e.Site) {
				if e.Site.Common().StaticCallee() == nil {
					at.dynamic[e.Callee.Func] = true
				} else {
					at.static[e.Callee.Func] = true
				}
			}
		}
	}
}

// of returns the sites that a call belongs to, one for each line from its beginning to its parenthesis.
func (s *sites) of(call ssa.CallInstruction) []*site {
	if _, ok := call.Common().Value.(*ssa.Builtin); ok {
		return nil
	}
	if fn := call.Parent(); isWrapper(fn) {
		return []*site{entry(s.inside, sourceName(fn))}
	}
	last := s.files.Position(call.Pos())
	first := last
	if start, ok := s.from[call.Pos()]; ok {
		first = s.files.Position(start)
	}
	var list []*site
	for line := first.Line; line <= last.Line; line++ {
		list = append(list, entry(s.at, place{last.Filename, line}))
	}
	return list
}

func entry[K comparable](m map[K]*site, key K) *site {
	at, ok := m[key]
	if !ok {
		at = &site{dynamic: map[*ssa.Function]bool{}, static: map[*ssa.Function]bool{}}
		m[key] = at
	}
	return at
}

// targets returns the functions of the image that a site may call, and those of the source that the image lacks.
func (s *sites) targets(m *image, at *site) (found []*function, missing []string) {
	set := map[*function]bool{}
	for fn := range at.static {
		for _, f := range s.functions(m, fn) {
			set[f] = true
		}
	}
	for fn := range at.dynamic {
		list := s.functions(m, fn)
		if len(list) == 0 {
			missing = append(missing, fn.String())
		}
		for _, f := range list {
			set[f] = true
		}
	}
	found = slices.SortedFunc(maps.Keys(set), func(a, b *function) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.entry, b.entry))
	})
	slices.Sort(missing)
	return found, missing
}

// functions are all those of the image that may stand for one of the source: by the place of its declaration, because
// names of function literals and of instances depend on where they are inlined; and by its name, for what the
// assembler or the compiler has written.
func (s *sites) functions(m *image, fn *ssa.Function) []*function {
	var list []*function
	if name := sourceName(fn); name != "" {
		list = append(list, m.named[name]...)
	}
	if isWrapper(fn) {
		if method, ok := fn.Object().(*types.Func); ok {
			if fn = s.prog.FuncValue(method); fn == nil {
				return list
			}
			list = append(list, m.named[sourceName(fn)]...)
		}
	}
	if fn.Syntax() != nil {
		at := s.files.Position(fn.Syntax().Pos())
		list = append(list, m.declared[place{at.Filename, at.Line}]...)
	}
	if origin := fn.Origin(); origin != nil {
		generic, _ := origin.Object().(*types.Func)
		for _, at := range s.uses[generic] { // its value is a literal that knows the types
			list = append(list, m.declared[at]...)
		}
	}
	return list
}

// isWrapper tells whether the source has no such function: a method of an embedded field, a method value.
func isWrapper(fn *ssa.Function) bool {
	return strings.Contains(fn.Synthetic, "wrapper") || strings.Contains(fn.Synthetic, "thunk")
}

// sourceName is the canonical name of a function. A function literal has none.
func sourceName(fn *ssa.Function) string {
	method, ok := fn.Object().(*types.Func)
	if !ok || method.Pkg() == nil {
		return ""
	}
	pkg, name := method.Pkg(), method.Name()
	recv := fn.Signature.Recv()
	if recv == nil {
		recv = method.Signature().Recv()
	}
	if recv != nil {
		t := types.Unalias(recv.Type())
		if p, ok := t.(*types.Pointer); ok {
			t = types.Unalias(p.Elem())
		}
		named, ok := t.(*types.Named)
		if !ok || named.Obj().Pkg() == nil {
			return ""
		}
		pkg, name = named.Obj().Pkg(), named.Obj().Name()+"."+name
	}
	if pkg.Name() == "main" {
		return "main." + name
	}
	return pkg.Path() + "." + name
}
