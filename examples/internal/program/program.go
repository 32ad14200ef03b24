// Package program is what the examples have in common: an address, a connection, and Ctrl-C.
package program

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/softrobot-rcc/rccd/robotics"
)

// Main connects with a daemon and has something done. Ctrl-C ends the context of what is done.
func Main(do func(ctx context.Context, robot *robotics.Runtime) error) {
	address := flag.String("rccd", "http://127.0.0.1:8080", "address of the daemon")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	err := connected(ctx, *address, do)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func connected(ctx context.Context, address string, do func(context.Context, *robotics.Runtime) error) error {
	robot, err := robotics.Connect(ctx, address)
	if err != nil {
		return err
	}
	defer robot.Close()
	return do(ctx, robot)
}
