// Package program is what the examples have in common: an address, a connection, and Ctrl-C.
package program

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"

	"github.com/softrobot-rcc/rccd/robotics"
	"github.com/softrobot-rcc/rccd/tools/picture"
)

// plots is the folder for pictures (-plot), empty for none.
var plots = flag.String("plot", "", "folder for pictures of what was measured")

// Save draws a picture, if there is to be one.
func Save(f *picture.Figure) error {
	if *plots == "" {
		return nil
	}
	return f.Save(*plots)
}

// Main connects with a daemon and has something done. Ctrl-C ends the context of what is done.
func Main(do func(ctx context.Context, robot *robotics.Runtime) error, options ...robotics.Option) {
	address := flag.String("rccd", "http://127.0.0.1:8080", "address of the daemon")
	flag.Parse()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt)
	err := connected(ctx, *address, do, options)
	cancel()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func connected(
	ctx context.Context, address string, do func(context.Context, *robotics.Runtime) error, options []robotics.Option,
) error {
	robot, err := robotics.Connect(ctx, address, options...)
	if err != nil {
		return err
	}
	defer robot.Close()
	return do(ctx, robot)
}
