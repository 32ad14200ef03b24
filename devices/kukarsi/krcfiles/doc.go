// Package krcfiles makes the files that a controller with RSI needs for its driver here (§11.3, figure 11.11): the Ethernet
// configuration, a description of the context, and a KRL program.
//
// They follow from the configuration of the device, so that both sides agree. How a context is stored is not public: its
// description reports which objects there are, how they are set and connected, so that it can be drawn in RSI Visual.
package krcfiles
