// The development server of Temporal's command line, without its other commands: `temporal server start-dev`, with the
// options that temporal-dev.ts passes. Built inside the module of the command line, which alone may import its server.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/google/uuid"
	"github.com/temporalio/cli/internal/devserver"
	"go.temporal.io/api/enums/v1"
	"go.temporal.io/server/common/headers"
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Printf("temporal version development (Server %s)\n", headers.ServerVersion)
		return
	}
	options, err := read(os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	// A stop can be requested as soon as the server answers, before its start is complete.
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, syscall.SIGINT, syscall.SIGTERM)
	server, err := devserver.Start(options)
	if err != nil {
		log.Fatal(err)
	}
	<-stopped
	server.SuppressWarnings()
	server.Stop()
}

func read(args []string) (devserver.StartOptions, error) {
	options := devserver.StartOptions{
		Namespaces:             []string{"default"},
		Logger:                 slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug})),
		ClusterID:              uuid.NewString(),
		MasterClusterName:      "active",
		CurrentClusterName:     "active",
		InitialFailoverVersion: 1,
		SearchAttributes:       map[string]enums.IndexedValueType{},
		// The defaults of the command line: a new search attribute is visible at once.
		DynamicConfigValues: map[string]any{
			"system.forceSearchAttributesCacheRefreshOnRead": true,
			"system.forceNexusEndpointRefreshOnRead":         true,
			"frontend.persistenceMaxQPS":                     10_000,
			"history.persistenceMaxQPS":                      45_000,
		},
	}
	if len(args) < 2 || args[0] != "server" || args[1] != "start-dev" {
		return options, fmt.Errorf("the only command is: server start-dev")
	}
	flags := flag.NewFlagSet("server start-dev", flag.ExitOnError)
	flags.StringVar(&options.FrontendIP, "ip", "127.0.0.1", "")
	flags.IntVar(&options.FrontendPort, "port", 7233, "")
	flags.IntVar(&options.UIPort, "ui-port", 8233, "")
	flags.StringVar(&options.DatabaseFile, "db-filename", "", "")
	headless := flags.Bool("headless", false, "")
	flags.Func("log-level", "", func(level string) error { return options.LogLevel.UnmarshalText([]byte(level)) })
	flags.Func("dynamic-config-value", "", func(setting string) error {
		name, value, _ := strings.Cut(setting, "=")
		read, err := valueOf(value)
		options.DynamicConfigValues[name] = read
		return err
	})
	flags.Func("search-attribute", "", func(attribute string) error {
		name, kind, _ := strings.Cut(attribute, "=")
		options.SearchAttributes[name] = enums.IndexedValueType(enums.IndexedValueType_shorthandValue[kind])
		return nil
	})
	if err := flags.Parse(args[2:]); err != nil {
		return options, err
	}
	if !*headless {
		options.UIIP = options.FrontendIP
	}
	return options, nil
}

// A setting that the server reads as an integer must be an int.
func valueOf(text string) (any, error) {
	var number int
	if json.Unmarshal([]byte(text), &number) == nil {
		return number, nil
	}
	var value any
	err := json.Unmarshal([]byte(text), &value)
	return value, err
}
