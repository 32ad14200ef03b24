package robotics_test

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/softrobot-rcc/rccd/internal/testkit/race"
)

const (
	commandLayer = "github.com/softrobot-rcc/rccd/robotics"
	actuators    = commandLayer + "/actuator"
	actions      = commandLayer + "/motions"
	worldModel   = commandLayer + "/world"
)

// exempt is what commands can consist of but no golden command has, and why.
var exempt = map[string]string{
	"Joints.Device":           "tells what the application has said",
	"Joints.Len":              "tells what the application has said",
	"Joints.Joint":            "tells what the application has said",
	"MultiArm.Arms":           "tells what the application has said",
	"FramePath":               "is looked at before anything runs",
	"FramePath.Path":          "is looked at before anything runs",
	"FramePath.Of":            "is looked at before anything runs",
	"FramePath.In":            "is looked at before anything runs",
	"FramePath.Limits":        "is looked at before anything runs",
	"FramePath.Joints":        "is looked at before anything runs",
	"FramePath.Slowest":       "is looked at before anything runs",
	"FramePath.Share":         "is looked at before anything runs",
	"Arm.Walk":                "looks before anything runs",
	"MultiArm.Walk":           "looks before anything runs",
	"MultiArm.WalkJoints":     "looks before anything runs",
	"CartesianLimits.Shares":  "says limits before anything runs",
	"CartesianLimits.Slower":  "says limits before anything runs",
	"JointLimits.Shares":      "says limits before anything runs",
	"JointLimits.Slower":      "says limits before anything runs",
	"Joints.Limits":           "tells what the application has said",
	"Always":                  "for actions of one's own",
	"DefaultsOf":              "for actuators of one's own",
	"Joints.Compare":          "looks before anything runs",
	"Joints.Forward":          "tells what the application has said",
	"Slowest":                 "is looked at before anything runs",
	"TransactionCommand.Name": "says what texts call a transaction",
	"Arm.Seen":                "tells what the application has said",
	"RuntimeCommand.Action":   "tells what the application has said",
	"RuntimeCommand.Actuator": "tells what the application has said",
	"GripperJob":              "for actions of grippers of one's own",
	"GripperJob.Does":         "for actions of grippers of one's own",
	"GripperJob.Params":       "for actions of grippers of one's own",
	"world.Path":              "for the mapping of frames, below every golden command that has some",
	"world.Step":              "for the mapping of frames",
	"world.Step.By":           "for the mapping of frames",
	"world.Step.At":           "for the mapping of frames",
	"world.Step.Invert":       "for the mapping of frames",
}

// TestConceptsHaveGoldens: whatever commands can consist of is used by a golden command. A new action, actuator, sensor, state, effect or
// parameter, and a new field of one, needs a golden command, or a reason why it has none.
func TestConceptsHaveGoldens(t *testing.T) {
	race.Skip(t, "maps and executes all golden commands")
	mode := packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo
	pkgs, err := packages.Load(&packages.Config{Mode: mode, Context: t.Context(), Tests: true}, commandLayer, actuators, actions, worldModel)
	if err != nil {
		t.Fatal(err)
	}
	concepts, used := map[string]bool{}, map[string]bool{}
	for _, p := range pkgs {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
		switch p.ID {
		case commandLayer, actuators, actions, worldModel:
			addConcepts(concepts, p.Types)
		case commandLayer + "_test [" + commandLayer + ".test]":
			addUses(used, p)
		}
	}
	missing, stale := judge(concepts, used)
	if len(missing) > 0 {
		t.Errorf("no golden command has: %s", strings.Join(missing, ", "))
	}
	if len(stale) > 0 {
		t.Errorf("no exemption is needed of: %s", strings.Join(stale, ", "))
	}

	// It would miss them.
	all, _ := judge(concepts, nil)
	for _, known := range []string{"PTP", "PTP.From", "Joints.Measured", "Command.OnLeft", "And", "Raise", "Speed", "NewBase", "FaultReach", "X", "world.Couple"} {
		if !slices.Contains(all, known) {
			t.Errorf("%s would not be missed", known)
		}
	}
	if len(all) < 150 {
		t.Errorf("only %d concepts: %v", len(all), all)
	}
}

// judge returns which concepts are not used, and which exemptions are not needed.
func judge(concepts, used map[string]bool) (missing, stale []string) {
	for name := range concepts {
		if !used[name] && exempt[name] == "" {
			missing = append(missing, name)
		}
	}
	for name := range exempt {
		if used[name] || !concepts[name] {
			stale = append(stale, name)
		}
	}
	slices.Sort(missing)
	slices.Sort(stale)
	return missing, stale
}

// addConcepts adds what a package exports that commands can consist of.
func addConcepts(all map[string]bool, p *types.Package) {
	owners, made := ownersOf(p), madeIn(p)
	add := func(o types.Object) {
		if o.Exported() && !executes(o) && !isHook(o.Name()) {
			all[conceptName(o, owners)] = true
		}
	}
	for _, name := range p.Scope().Names() {
		o := p.Scope().Lookup(name)
		named, _ := o.Type().(*types.Named)
		if _, isType := o.(*types.TypeName); !isType {
			if !isError(o.Type()) {
				add(o)
			}
			continue
		}
		if !o.Exported() || named == nil || executes(o) || isError(named) {
			continue
		}
		switch of := named.Underlying().(type) {
		case *types.Interface:
			for m := range of.ExplicitMethods() {
				add(m)
			}
			continue
		case *types.Struct:
			for f := range of.Fields() {
				if !f.Embedded() {
					add(f)
				}
			}
		}
		if !made[named.Origin().Obj()] {
			add(o)
		}
		for m := range named.Methods() {
			add(m)
		}
	}
}

// executing are types for executing commands, which do not become parts of nets.
var executing = map[string]bool{
	"Runtime": true, "Handle": true, "Listener": true, "Program": true, "Option": true, "Condition": true, "Switch": true,
	"Rehearsal": true, "RehearsalOption": true, "Preview": true, "PreviewedCommand": true, "PreviewedFault": true, "PreviewedRule": true,
	"PreviewedJoints": true, "PreviewedEnd": true, "Peak": true, "Devices": true, "Jointed": true, "Generator": true,
}

// executes reports whether something is about executing commands: one of those types, what has it, makes it, or may take its time.
func executes(o types.Object) bool {
	f, isFunc := o.(*types.Func)
	if !isFunc {
		n, isNamed := types.Unalias(o.Type()).(*types.Named)
		return isNamed && executing[n.Obj().Name()]
	}
	s := f.Signature()
	about := func(v *types.Var) bool {
		return v != nil && (strings.Contains(v.Type().String(), "context.Context") || executing[receiver(v.Type())])
	}
	for v := range s.Results().Variables() {
		if about(v) {
			return true
		}
	}
	for v := range s.Params().Variables() {
		if strings.Contains(v.Type().String(), "context.Context") || isNet(v.Type()) {
			return true
		}
	}
	return about(s.Recv()) || f.Name() == "Map"
}

// isNet reports whether a parameter is a net in the making: functions that have one are for mappers.
func isNet(t types.Type) bool {
	return strings.HasPrefix(t.String(), "*") && strings.HasPrefix(strings.TrimPrefix(t.String(), "*"), commandLayer+"/mapping.")
}

// isHook reports whether a method is called by the mapping, not by applications.
func isHook(name string) bool {
	return strings.HasPrefix(name, "Map") || slices.Contains([]string{"Understands", "Defaults", "Converters", "String", "Error", "Unwrap", "Parameter", "OfJoints", "InSpace", "OnArc"}, name)
}

func isError(t types.Type) bool {
	is := types.Universe.Lookup("error").Type().Underlying().(*types.Interface) //nolint:forcetypeassert // by the language
	return types.Implements(t, is) || types.Implements(types.NewPointer(t), is)
}

// madeIn are types of a package that there are functions or constants of: these are the concepts.
func madeIn(p *types.Package) map[types.Object]bool {
	made := map[types.Object]bool{}
	add := func(t types.Type) {
		if pointer, is := t.(*types.Pointer); is {
			t = pointer.Elem()
		}
		if n, is := types.Unalias(t).(*types.Named); is {
			made[n.Origin().Obj()] = true
		}
	}
	for _, name := range p.Scope().Names() {
		switch o := p.Scope().Lookup(name).(type) {
		case *types.Func:
			for v := range o.Signature().Results().Variables() {
				add(v.Type())
			}
		case *types.Const:
			add(o.Type())
		}
	}
	return made
}

// ownersOf returns the types to which fields of a package belong.
func ownersOf(p *types.Package) map[types.Object]string {
	owners := map[types.Object]string{}
	for _, name := range p.Scope().Names() {
		if s, is := p.Scope().Lookup(name).Type().Underlying().(*types.Struct); is {
			for f := range s.Fields() {
				owners[f] = name
			}
		}
	}
	return owners
}

// receiver returns the name of a type, or of the one that it points to.
func receiver(t types.Type) string {
	if pointer, is := t.(*types.Pointer); is {
		t = pointer.Elem()
	}
	if n, is := types.Unalias(t).(*types.Named); is {
		return n.Obj().Name()
	}
	return ""
}

// conceptName returns how a concept is called: And, PTP.From, Joints.Measured, world.Couple.
func conceptName(o types.Object, owners map[types.Object]string) string {
	name := o.Name()
	switch o := o.(type) {
	case *types.Func:
		if r := o.Signature().Recv(); r != nil {
			of := receiver(r.Type())
			if of == "common" {
				of = "Command" // what all commands have
			}
			name = of + "." + name
		}
	case *types.Var:
		if o.IsField() {
			name = owners[o] + "." + name
		}
	}
	if o.Pkg().Path() == worldModel {
		name = "world." + name
	}
	return name
}

// addUses adds what the functions use that make golden commands, with all of the tests that they are made of.
func addUses(all map[string]bool, p *packages.Package) {
	parts := partsOf(p)
	owners := map[*types.Package]map[types.Object]string{}
	scope := p.Types.Scope()
	queue := []types.Object{scope.Lookup("allGoldens"), scope.Lookup("newScene")}
	seen := map[types.Object]bool{}
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		if seen[next] {
			continue
		}
		seen[next] = true
		for _, part := range parts[next] {
			ast.Inspect(part, func(n ast.Node) bool {
				id, is := n.(*ast.Ident)
				if !is || p.TypesInfo.Uses[id] == nil || p.TypesInfo.Uses[id].Pkg() == nil {
					return true
				}
				o := p.TypesInfo.Uses[id]
				if f, isFunc := o.(*types.Func); isFunc {
					o = f.Origin()
				}
				switch of := o.Pkg(); of.Path() {
				case p.Types.Path():
					queue = append(queue, o)
				case commandLayer, actuators, actions, worldModel:
					if owners[of] == nil {
						owners[of] = ownersOf(of)
					}
					all[conceptName(o, owners[of])] = true
				}
				return true
			})
		}
	}
}

// partsOf returns the source of functions, of variables, and of types: of all their methods.
func partsOf(p *packages.Package) map[types.Object][]ast.Node {
	parts := map[types.Object][]ast.Node{}
	add := func(id *ast.Ident, n ast.Node) {
		o := p.TypesInfo.Defs[id]
		parts[o] = append(parts[o], n)
	}
	for _, f := range p.Syntax {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				add(d.Name, d.Body)
				if f, is := p.TypesInfo.Defs[d.Name].(*types.Func); is && f.Signature().Recv() != nil {
					if of := p.Types.Scope().Lookup(receiver(f.Signature().Recv().Type())); of != nil && !of.Exported() && of.Name() != "scene" {
						parts[of] = append(parts[of], d.Body)
					}
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if v, is := s.(*ast.ValueSpec); is {
						for _, id := range v.Names {
							add(id, v)
						}
					}
				}
			}
		}
	}
	return parts
}
