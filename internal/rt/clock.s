// Lets functions of this package have their body elsewhere.
