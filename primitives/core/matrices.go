package core

import "github.com/softrobot-rcc/rccd/rcc/spec"

// Matrices of the examples.
const square, wide, tall = "[[1,2],[3,4]]", "[[1,2,3],[4,5,6]]", "[[1,4],[2,5],[3,6]]"

// matrices declares the primitives of matrices.
func matrices() []*spec.Primitive {
	return []*spec.Primitive{
		matrixPrimitive("Create", "gives a matrix of zeros", spec.Kernels[matrixCreate]{Run: emitMatrix},
			spec.Example{Doc: "two rows", Params: params{"Rows": "2", "Cols": "3"}, Out: series{"outMatrix": {"[[0,0,0],[0,0,0]]"}}},
			spec.Example{Doc: "the default", Out: series{"outMatrix": {"[[0]]"}}},
			spec.Example{Doc: "too large", Params: params{"Rows": "65536", "Cols": "2"}, Reject: "a matrix has 0 to 65536 elements, not 65536 x 2"}),
		matrixPrimitive("Get", "gives an element of a matrix", spec.Kernels[matrixGet]{Run: pickCell},
			spec.Example{
				Doc: "second row, third column", Params: params{"Row": "1", "Col": "2"},
				In: series{"inMatrix": {wide, "null"}}, Out: series{"outValue": {"6", "null"}},
			},
			spec.Example{
				Doc: "an element that cannot be", Params: params{"Row": "2"}, In: series{"inMatrix": {wide}},
				Reject: "no element 2, 0 in a matrix of 2 x 3",
			},
			spec.Example{Doc: "no matrix", Reject: "inMatrix must be connected"}),
		matrixPrimitive("Set", "replaces an element of a matrix", spec.Kernels[matrixSet]{Run: replaceCell},
			spec.Example{
				Doc: "second row, third column", Params: params{"Rows": "2", "Cols": "3", "Row": "1", "Col": "2"},
				In:  series{"inMatrix": {wide, wide, "null"}, "inValue": {"0", "null", "0"}},
				Out: series{"outMatrix": {"[[1,2,3],[4,5,0]]", "null", "null"}},
			},
			spec.Example{Doc: "as large as it is", In: series{"inMatrix": {square}, "inValue": {"9"}}, Out: series{"outMatrix": {"[[9,2],[3,4]]"}}},
			spec.Example{
				Doc: "a part", Params: params{"Rows": "1", "Cols": "2"}, In: series{"inMatrix": {square}, "inValue": {"9"}},
				Out: series{"outMatrix": {"[[9,2]]"}},
			},
			spec.Example{
				Doc: "too small", Params: params{"Rows": "3", "Cols": "2"}, In: series{"inMatrix": {square}, "inValue": {"9"}},
				Out: series{"outMatrix": {"null"}},
			},
			spec.Example{
				Doc: "an element that cannot be", Params: params{"Col": "-1"}, In: series{"inMatrix": {square}, "inValue": {"9"}},
				Reject: "parameter Col: it is -1, but must be at least 0",
			},
			spec.Example{
				Doc: "fewer rows than none", Params: params{"Rows": "-1"}, In: series{"inMatrix": {square}, "inValue": {"9"}}, Reject: "parameter Rows: it is -1, but must be at least 0",
			}),
		matrixPrimitive("Scale", "multiplies all elements of a matrix", spec.Kernels[matrixScale]{Run: scaleMatrices},
			spec.Example{Doc: "twice", In: series{"inMatrix": {square, "null"}, "inValue": {"2"}}, Out: series{"outMatrix": {"[[2,4],[6,8]]", "null"}}},
			spec.Example{Doc: "the parameter", Params: params{"Value": "-1"}, In: series{"inMatrix": {square}}, Out: series{"outMatrix": {"[[-1,-2],[-3,-4]]"}}},
			spec.Example{Doc: "a factor that is null", In: series{"inMatrix": {square}, "inValue": {"null"}}, Out: series{"outMatrix": {"null"}}},
			spec.Example{Doc: "no matrix", Reject: "inMatrix must be connected"}),
		matrixPrimitive("Transpose", "makes rows of columns", spec.Kernels[matrixTranspose]{Run: transpose},
			spec.Example{Doc: "rows and columns", In: series{"inMatrix": {wide, "null"}}, Out: series{"outMatrix": {tall, "null"}}},
			spec.Example{Doc: "with its size", Params: params{"Rows": "2", "Cols": "3"}, In: series{"inMatrix": {tall}}, Out: series{"outMatrix": {wide}}},
			spec.Example{Doc: "too small", Params: params{"Rows": "3", "Cols": "3"}, In: series{"inMatrix": {tall}}, Out: series{"outMatrix": {"null"}}},
			spec.Example{Doc: "no matrix", Reject: "inMatrix must be connected"}),
		matrixPrimitive("Multiply", "multiplies two matrices", spec.Kernels[matrixMultiply]{Run: multiplyMatrices},
			spec.Example{
				Doc: "a product", Params: params{"Rows": "2", "Cols": "2"}, In: series{"inMatrix1": {wide, "null"}, "inMatrix2": {tall}},
				Out: series{"outMatrix": {"[[14,32],[32,77]]", "null"}},
			},
			spec.Example{
				Doc: "as large as it is", In: series{"inMatrix1": {tall}, "inMatrix2": {"[[1],[-1]]"}},
				Out: series{"outMatrix": {"[[-3],[-3],[-3]]"}},
			},
			spec.Example{
				Doc: "no product", In: series{"inMatrix1": {wide}, "inMatrix2": {square}},
				Reject: "a matrix of 2 x 3 cannot be multiplied by one of 2 x 2",
			}),
		matrixPrimitive("Apply", "multiplies a matrix and a vector", spec.Kernels[matrixApply]{Run: apply},
			spec.Example{
				Doc: "a product", Params: params{"Size": "2"}, In: series{"inMatrix": {wide, wide, "null"}, "inVector": {"[1,0,-1]", "null", "[1,0,-1]"}},
				Out: series{"outValue": {"[-2,-2]", "null", "null"}},
			},
			spec.Example{Doc: "as large as it is", In: series{"inMatrix": {tall}, "inVector": {"[1,1]"}}, Out: series{"outValue": {"[5,7,9]"}}},
			spec.Example{Doc: "a vector that is too small", In: series{"inMatrix": {wide}, "inVector": {"[1,1]"}}, Out: series{"outValue": {"null"}}},
			spec.Example{Doc: "no vector", In: series{"inMatrix": {wide}}, Reject: "inVector must be connected"}),
		matrixPrimitive("ArrayGet", "gives elements of a block of a matrix as an array", spec.Kernels[matrixArrayGet]{Run: readBlocks},
			spec.Example{
				Doc: "a block of two columns", Params: params{"StartCol": "1", "BlockWidth": "2", "Size": "4"}, In: series{"inMatrix": {wide, "null"}},
				Out: series{"outArray": {"[2,3,5,6]", "null"}},
			},
			spec.Example{
				Doc: "part of its last row", Params: params{"BlockWidth": "2", "Size": "3"}, In: series{"inMatrix": {wide}},
				Out: series{"outArray": {"[1,2,4]"}},
			},
			spec.Example{
				Doc: "beyond the end", Params: params{"StartRow": "1", "BlockWidth": "2", "Size": "3"}, In: series{"inMatrix": {wide}},
				Out: series{"outArray": {"null"}},
			},
			spec.Example{Doc: "no block", Params: params{"BlockWidth": "0"}, In: series{"inMatrix": {wide}}, Reject: "parameter BlockWidth: it is 0, but must be at least 1"}),
		matrixPrimitive("ArraySet", "replaces elements of a block of a matrix by those of an array", spec.Kernels[matrixArraySet]{Run: writeBlocks},
			spec.Example{
				Doc: "a block of two columns", Params: params{"Rows": "2", "Cols": "3", "StartCol": "1", "BlockWidth": "2"},
				In:  series{"inMatrix": {wide, wide, "null"}, "inArray": {"[7,8,9]", "null", "[7,8,9]"}},
				Out: series{"outMatrix": {"[[1,7,8],[4,9,6]]", "null", "null"}},
			},
			spec.Example{Doc: "the parameter", Params: params{"Array": "[8,9]"}, In: series{"inMatrix": {square}}, Out: series{"outMatrix": {"[[8,2],[9,4]]"}}},
			spec.Example{Doc: "nothing to set", In: series{"inMatrix": {square}}, Out: series{"outMatrix": {square}}},
			spec.Example{Doc: "beyond the end", Params: params{"Array": "[7,8,9]"}, In: series{"inMatrix": {square}}, Out: series{"outMatrix": {"null"}}},
			spec.Example{Doc: "no block", Params: params{"StartRow": "-1"}, In: series{"inMatrix": {square}}, Reject: "parameter StartRow: it is -1, but must be at least 0"}),
		matrixPrimitive("BlockGet", "gives a block of a matrix", spec.Kernels[matrixBlockGet]{Run: cutBlocks},
			spec.Example{
				Doc: "two columns", Params: params{"StartCol": "1", "BlockWidth": "2", "BlockHeight": "2"}, In: series{"inMatrix": {wide, "null"}},
				Out: series{"outMatrix": {"[[2,3],[5,6]]", "null"}},
			},
			spec.Example{Doc: "beyond the end", Params: params{"StartRow": "1", "BlockHeight": "2"}, In: series{"inMatrix": {wide}}, Out: series{"outMatrix": {"null"}}},
			spec.Example{Doc: "no block", Params: params{"StartCol": "-1"}, In: series{"inMatrix": {wide}}, Reject: "parameter StartCol: it is -1, but must be at least 0"},
			spec.Example{Doc: "no rows", Params: params{"BlockHeight": "-1"}, In: series{"inMatrix": {wide}}, Reject: "parameter BlockHeight: it is -1, but must be at least 1"}),
		matrixPrimitive("BlockSet", "replaces a block of a matrix", spec.Kernels[matrixBlockSet]{Run: pasteBlocks},
			spec.Example{
				Doc: "two columns", Params: params{"Rows": "2", "Cols": "3", "StartCol": "1", "BlockWidth": "2", "BlockHeight": "2"},
				In:  series{"inMatrix": {wide, "null"}, "inBlock": {square}},
				Out: series{"outMatrix": {"[[1,1,2],[4,3,4]]", "null"}},
			},
			spec.Example{
				Doc: "beyond the end", Params: params{"StartRow": "1", "BlockHeight": "2"}, In: series{"inMatrix": {wide}, "inBlock": {square}},
				Out: series{"outMatrix": {"null"}},
			},
			spec.Example{Doc: "a block that is too small", Params: params{"BlockWidth": "3"}, In: series{"inMatrix": {wide}, "inBlock": {square}}, Out: series{"outMatrix": {"null"}}},
			spec.Example{Doc: "no columns", Params: params{"BlockWidth": "0"}, In: series{"inMatrix": {wide}, "inBlock": {square}}, Reject: "parameter BlockWidth: it is 0, but must be at least 1"},
			spec.Example{Doc: "no rows", Params: params{"BlockHeight": "0"}, In: series{"inMatrix": {wide}, "inBlock": {square}}, Reject: "parameter BlockHeight: it is 0, but must be at least 1"}),
		matrixPrimitive("Select", "selects rows and columns of a matrix", spec.Kernels[matrixSelect]{Run: selectCells},
			spec.Example{
				Doc: "in any order", Params: params{"SelectedRows": "[1,0,1]", "SelectedCols": "[2,0]"}, In: series{"inMatrix": {wide, "null"}},
				Out: series{"outMatrix": {"[[6,4],[3,1],[6,4]]", "null"}},
			},
			spec.Example{Doc: "none", In: series{"inMatrix": {wide}}, Out: series{"outMatrix": {"[]"}}},
			spec.Example{
				Doc: "a row that cannot be", Params: params{"SelectedRows": "[2]"}, In: series{"inMatrix": {wide}},
				Reject: "parameter SelectedRows: no row 2 in a matrix of 2 x 3",
			},
			spec.Example{
				Doc: "a column that cannot be", Params: params{"SelectedCols": "[-1]"}, In: series{"inMatrix": {wide}},
				Reject: "parameter SelectedCols: element 0 is -1, but must be at least 0",
			}),
		equations(),
	}
}

func matrixPrimitive[T any](name, doc string, kernels spec.Kernels[T], examples ...spec.Example) *spec.Primitive {
	return spec.Declare(spec.Decl{Name: "Core::Matrix" + name, Extension: extension, Doc: doc, Pure: true, Examples: examples, Unrelated: "loading compares them with the matrices that go in"}, kernels)
}
