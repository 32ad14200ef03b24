package config

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Schema returns the JSON Schema of a configuration, for editors that check while one writes.
func Schema() []byte {
	root := object(reflect.TypeFor[Config]())
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "configuration of rccd"
	text, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		panic(err) // only of what cannot be written as JSON, which tags never contain
	}
	return append(text, '\n')
}

type schema = map[string]any

func object(t reflect.Type) schema {
	properties, required := schema{}, []string{}
	fields, rest := fieldsOf(t)
	for name, f := range fields {
		properties[name] = property(f)
		if f.Tag.Get("required") == "true" {
			required = append(required, name)
		}
	}
	s := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if rest != nil {
		s["additionalProperties"] = schema{"type": []string{"string", "number", "boolean", "array", "object"}, "description": rest.Tag.Get("doc")}
	}
	if len(required) > 0 {
		s["required"] = slices.Sorted(slices.Values(required))
	}
	return s
}

func property(f reflect.StructField) schema {
	s := typed(f.Type)
	s["description"] = f.Tag.Get("doc")
	if words := f.Tag.Get("enum"); words != "" {
		s["enum"] = strings.Fields(words)
	}
	if text, ok := f.Tag.Lookup("default"); ok {
		s["default"] = text
	}
	if f.Type.Kind() == reflect.Int {
		bound(s, "minimum", f.Tag.Get("min"))
		bound(s, "maximum", f.Tag.Get("max"))
		bound(s, "default", f.Tag.Get("default"))
	}
	return s
}

func typed(t reflect.Type) schema {
	switch {
	case t == reflect.TypeFor[time.Duration]():
		return schema{"type": "string", "pattern": `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$`}
	case t.Kind() == reflect.Struct:
		return object(t)
	case t.Kind() == reflect.Slice:
		return schema{"type": "array", "items": typed(t.Elem())}
	case t.Kind() == reflect.Bool:
		return schema{"type": "boolean"}
	case t.Kind() == reflect.Int:
		return schema{"type": "integer"}
	case t == reflect.TypeFor[Start]():
		return schema{"enum": []any{true, false, "always"}}
	case t == reflect.TypeFor[Speed]():
		return schema{"type": []string{"number", "string"}}
	case t.Kind() == reflect.Float64:
		return schema{"type": "number"}
	default:
		return schema{"type": "string"}
	}
}

func bound(s schema, key, text string) {
	if n, err := strconv.Atoi(text); err == nil {
		s[key] = n
	}
}
