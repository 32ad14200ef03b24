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

	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
	"golang.org/x/tools/go/types/typeutil"
)

// sites is the generated table of the targets of calls, as the source has them: which functions a call may reach, by
// the lines of the call.
//
// For calls of a func() it follows values through the whole program (VTA). For all others each function of the signature
// counts, and each type that has the method (CHA): loading hands values through reflection, where they cannot be followed.
type sites struct {
	module, dir string

	prog  *ssa.Program
	files *token.FileSet
	alike typeutil.Map            // functions by their signatures, []*ssa.Function
	types []types.Type            // that values of interfaces may have
	from  map[token.Pos]token.Pos // where the call begins that has a parenthesis there
	uses  map[*types.Func][]place // of generic functions

	at     map[place][]ssa.CallInstruction
	inside map[string][]ssa.CallInstruction // in wrappers that the compiler writes, by their canonical names
	plain  map[ssa.CallInstruction][]*ssa.Function
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
		from: map[token.Pos]token.Pos{}, uses: map[*types.Func][]place{}, at: map[place][]ssa.CallInstruction{},
		inside: map[string][]ssa.CallInstruction{}, plain: map[ssa.CallInstruction][]*ssa.Function{},
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
	s.files, s.types = s.prog.Fset, s.prog.RuntimeTypes()
	s.fill()
	return s, nil
}

func (s *sites) begins(n ast.Node) bool {
	if call, ok := n.(*ast.CallExpr); ok {
		s.from[call.Lparen] = call.Pos()
	}
	return true
}

// fill puts every call into the table, and follows values to those of a func().
func (s *sites) fill() {
	all := ssautil.AllFunctions(s.prog)
	for fn := range all {
		if fn.Signature.Recv() == nil {
			alike, _ := s.alike.At(fn.Signature).([]*ssa.Function)
			s.alike.Set(fn.Signature, append(alike, fn))
		}
		for _, b := range fn.Blocks {
			for _, i := range b.Instrs {
				if call, ok := i.(ssa.CallInstruction); ok {
					s.add(call)
				}
			}
		}
	}
	for _, node := range vta.CallGraph(all, nil).Nodes {
		for _, e := range node.Out {
			if e.Site != nil && isPlain(e.Site.Common()) {
				s.plain[e.Site] = append(s.plain[e.Site], e.Callee.Func)
			}
		}
	}
}

// add puts a call into the table, for each line from its beginning to its parenthesis.
func (s *sites) add(call ssa.CallInstruction) {
	if _, ok := call.Common().Value.(*ssa.Builtin); ok {
		return
	}
	if fn := call.Parent(); isWrapper(fn) {
		name := sourceName(fn)
		s.inside[name] = append(s.inside[name], call)
		return
	}
	last := s.files.Position(call.Pos())
	first := last
	if start, ok := s.from[call.Pos()]; ok {
		first = s.files.Position(start)
	}
	for line := first.Line; line <= last.Line; line++ {
		at := place{last.Filename, line}
		s.at[at] = append(s.at[at], call)
	}
}

// isPlain reports whether a call is one of a func().
func isPlain(call *ssa.CallCommon) bool {
	return !call.IsInvoke() && call.Signature().Params().Len()+call.Signature().Results().Len() == 0
}

// targets returns the functions of the image that some calls may reach, and those of the source that the image lacks.
// A call with one target counts too, because the compiler makes some of them through a pointer, in generic functions
// through a dictionary. Its target may be inlined, and lacking then.
func (s *sites) targets(m *image, calls []ssa.CallInstruction) (found []*function, missing []string) {
	set := map[*function]bool{}
	for _, call := range calls {
		for _, fn := range s.callees(call) {
			list := s.functions(m, fn)
			if len(list) == 0 && call.Common().StaticCallee() == nil {
				missing = append(missing, fn.String())
			}
			for _, f := range list {
				set[f] = true
			}
		}
	}
	found = slices.SortedFunc(maps.Keys(set), func(a, b *function) int {
		return cmp.Or(strings.Compare(a.name, b.name), cmp.Compare(a.entry, b.entry))
	})
	slices.Sort(missing)
	return found, slices.Compact(missing)
}

// callees returns the targets of a call in the source.
func (s *sites) callees(at ssa.CallInstruction) []*ssa.Function {
	call := at.Common()
	switch fn := call.StaticCallee(); {
	case fn != nil:
		return []*ssa.Function{fn}
	case call.IsInvoke():
		return s.implementations(call)
	case isPlain(call):
		return s.plain[at]
	}
	alike, _ := s.alike.At(call.Signature()).([]*ssa.Function)
	return alike
}

// implementations returns the methods of all types that a value of the interface may have.
func (s *sites) implementations(call *ssa.CallCommon) []*ssa.Function {
	wanted, _ := call.Value.Type().Underlying().(*types.Interface)
	if wanted == nil {
		return nil
	}
	var list []*ssa.Function
	for _, t := range s.types {
		if !types.IsInterface(t) && types.Implements(t, wanted) {
			list = append(list, s.prog.LookupMethod(t, call.Method.Pkg(), call.Method.Name()))
		}
	}
	return list
}

// functions returns all those of the image that may stand for one of the source: by the place of its declaration, because
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

// isWrapper reports whether the source has no such function: a method of an embedded field, a method value.
func isWrapper(fn *ssa.Function) bool {
	return strings.Contains(fn.Synthetic, "wrapper") || strings.Contains(fn.Synthetic, "thunk")
}

// sourceName returns the canonical name of a function. A function literal has none.
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
