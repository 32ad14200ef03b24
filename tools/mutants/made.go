package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// possible returns every mistake that can be made in a package by one small change, in an order that the seed decides. Some do not compile.
func possible(folder string, seed uint64) ([]mutant, error) {
	files, err := sources(folder)
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, path := range files {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		of, err := changes(filepath.Base(path), source)
		if err != nil {
			return nil, err
		}
		all = append(all, of...)
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	return all, nil
}

// changes returns the mistakes that can be made in a file. Generated files have none.
func changes(name string, source []byte) ([]mutant, error) {
	c := changer{file: name, source: source, set: token.NewFileSet(), named: map[string]int{}}
	tree, err := parser.ParseFile(c.set, name, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(tree) {
		return nil, err
	}
	for _, d := range tree.Decls {
		if f, is := d.(*ast.FuncDecl); is && f.Body != nil {
			c.in = nameOf(f)
			ast.Inspect(f.Body, c.visit)
		}
	}
	return c.all, nil
}

// nameOf returns the name of a function, behind the type that it belongs to.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	t := f.Recv.List[0].Type
	if p, is := t.(*ast.StarExpr); is {
		t = p.X
	}
	switch generic := t.(type) {
	case *ast.IndexExpr:
		t = generic.X
	case *ast.IndexListExpr:
		t = generic.X
	}
	return fmt.Sprint(t) + "." + f.Name.Name
}

// changer finds places for mistakes in the functions of a file.
type changer struct {
	file   string
	source []byte
	set    *token.FileSet
	in     string         // function
	named  map[string]int // how often a name has been given
	all    []mutant
}

// swaps are operators that are easily mistaken for each other.
var swaps = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.AND: token.OR, token.OR: token.AND, token.SHL: token.SHR, token.SHR: token.SHL,
}

func (c *changer) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if other, is := swaps[n.Op]; is {
			from := c.offset(n.OpPos)
			c.add(n, from, from+len(n.Op.String()), other.String())
		}
	case *ast.IfStmt:
		c.add(n.Cond, c.offset(n.Cond.Pos()), c.offset(n.Cond.End()), "false && ("+c.text(n.Cond)+")")
	case *ast.IncDecStmt:
		from := c.offset(n.TokPos)
		c.add(n, from, from+2, map[token.Token]string{token.INC: "--", token.DEC: "++"}[n.Tok])
	case *ast.BasicLit:
		if v, err := strconv.ParseInt(n.Value, 0, 62); err == nil && n.Kind == token.INT {
			c.add(n, c.offset(n.Pos()), c.offset(n.End()), strconv.FormatInt(v+1, 10))
		}
	case *ast.BlockStmt:
		c.leaveOut(n.List)
	case *ast.CaseClause:
		c.leaveOut(n.Body)
	}
	return true
}

// leaveOut leaves out statements, one at a time: calls, assignments and jumps.
func (c *changer) leaveOut(list []ast.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *ast.ExprStmt, *ast.BranchStmt, *ast.SendStmt:
		case *ast.AssignStmt:
			if s.Tok == token.DEFINE {
				continue
			}
		default:
			continue
		}
		c.add(s, c.offset(s.Pos()), c.offset(s.End()), "")
	}
}

// add keeps a mistake in a node. Its name has no line in it, so that it stays when the file changes elsewhere.
func (c *changer) add(n ast.Node, from, to int, text string) {
	begin, end := c.offset(n.Pos()), c.offset(n.End())
	after := string(c.source[begin:from]) + text + string(c.source[to:end])
	if after == "" {
		after = "nothing"
	}
	name := fmt.Sprintf("%s: %s → %s", c.in, oneLine(c.text(n)), oneLine(after))
	if c.named[name]++; c.named[name] > 1 {
		name += fmt.Sprintf(" (%d)", c.named[name])
	}
	c.all = append(c.all, mutant{name, c.file, from, to, text})
}

func (c *changer) offset(p token.Pos) int { return c.set.Position(p).Offset }

func (c *changer) text(n ast.Node) string {
	return string(c.source[c.offset(n.Pos()):c.offset(n.End())])
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
