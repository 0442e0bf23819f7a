package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/qbb-sim/qbb/internal/spelling"
)

// command is a row of the table of commands.
type command struct {
	name    string // one word, or two: gen topology
	args    string // what may follow the flags
	brief   string
	about   string // the rest of the help text, between usage and flags
	maxArgs int    // -1: any number
	trouble int    // exit code of mistakes; 0: exitMistake
	// define adds the command's flags and returns what it does.
	define func(fs *pflag.FlagSet) action
}

// configArgs is what may follow the flags of a command that takes a scenario.
const configArgs = "[CONFIG]"

type action func(c *call) error

// call is one use of a command.
type call struct {
	ctx            context.Context
	stdout, stderr io.Writer
	args           []string // what follows the flags
}

// commands is the table, in the order of the help text.
func commands() []command {
	return []command{
		runCommand(), sweepCommand(), reportCommand(), plotCommand(), tableCommand(), timelineCommand(), reproduceCommand(), compareCommand(), csvCommand(), inspectCommand(), genTopologyCommand(), genTrafficCommand(),
		schemesCommand(), helpCommand(), completionCommand(), versionCommand(),
	}
}

// run is the program. It returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) == 0 || args[0] == "-h" || args[0] == "--help" {
		args = []string{"help"}
	}
	if args[0] == "--version" {
		args = append([]string{"version"}, args[1:]...)
	}
	if args[0] == completeWord {
		complete(stdout, args[1:])
		return exitOK
	}
	cmd, rest, err := find(args)
	if err != nil {
		return finish(stderr, "qbb", err)
	}
	return finish(stderr, "qbb "+cmd.name, cmd.call(&call{ctx, stdout, stderr, rest}))
}

// find returns the command that the arguments begin with, and the other arguments.
func find(args []string) (*command, []string, error) {
	var names []string
	for _, c := range commands() {
		words := strings.Fields(c.name)
		if len(args) >= len(words) && strings.Join(args[:len(words)], " ") == c.name {
			return &c, args[len(words):], nil
		}
		if words[0] == args[0] { // the second word is wrong or missing
			names = append(names, c.name)
		}
	}
	given := args[0]
	switch {
	case len(names) == 0:
		for _, c := range commands() {
			names = append(names, c.name)
		}
	case len(args) == 1:
		return nil, nil, mistakef("%s: which? qbb %s", given, strings.Join(names, " or qbb "))
	case args[1] == "-h" || args[1] == "--help":
		help := helpCommand()
		return &help, args[:1], nil
	default:
		given += " " + args[1]
	}
	near := spelling.Nearest(given, names)
	if _, err := os.Stat(given); err == nil || strings.HasPrefix(given, "-") {
		near = "run " + given
	}
	return nil, nil, mistakef("unknown command %q: did you mean qbb %s? qbb help lists all", given, near)
}

// call carries the command out.
func (cmd *command) call(c *call) error {
	fs, do := cmd.flags()
	switch err := cmd.parse(fs, c); {
	case errors.Is(err, pflag.ErrHelp):
		return cmd.help(c.stdout)
	case err != nil:
		return &exit{cmd.mistakeCode(), err}
	}
	return do(c)
}

// parse sets the flags, and leaves what follows them.
func (cmd *command) parse(fs *pflag.FlagSet, c *call) error {
	times := make(map[string]int)
	err := fs.ParseAll(c.args, func(f *pflag.Flag, value string) error {
		times[f.Name]++
		if f.Value.Type() != "stringArray" { // some of those can be cleared: choices.apply
			if err := empty("--"+f.Name, value); err != nil {
				return err
			}
		}
		return fs.Set(f.Name, value)
	})
	if err != nil {
		return cmd.flagError(fs, err)
	}
	c.args = fs.Args()
	if len(c.args) > 0 {
		if err := empty("the argument", c.args[0]); err != nil {
			return err
		}
	}
	switch most := cmd.maxArgs; {
	case most < 0 || len(c.args) <= most:
		return repeated(fs, times)
	case cmd.args == configArgs:
		return fmt.Errorf("unexpected argument %q: qbb %s takes one CONFIG", c.args[most], cmd.name)
	default:
		return fmt.Errorf("unexpected argument %q: see qbb help %s", c.args[most], cmd.name)
	}
}

// empty finds a text that says nothing.
func empty(name, text string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("%s %q is empty: is a variable of the shell not set?", name, text)
	}
	return nil
}

// repeated finds a flag with a single value that is given more than once; of those with lists each has its own rule.
func repeated(fs *pflag.FlagSet, times map[string]int) (err error) {
	fs.VisitAll(func(f *pflag.Flag) {
		if list := f.Value.Type() == "stringArray"; times[f.Name] > 1 && !list && f.NoOptDefVal == "" && err == nil {
			err = fmt.Errorf("--%s is given %d times", f.Name, times[f.Name])
		}
	})
	return err
}

func (cmd *command) mistakeCode() int { return cmp.Or(cmd.trouble, exitMistake) }

// flags returns the command's flags, in the order of their definition, and its action.
func (cmd *command) flags() (*pflag.FlagSet, action) {
	fs := pflag.NewFlagSet(cmd.name, pflag.ContinueOnError)
	fs.SortFlags = false
	fs.Usage = func() {}
	fs.SetOutput(io.Discard)
	return fs, cmd.define(fs)
}

// flagError says in our own words what is wrong with a flag.
func (cmd *command) flagError(fs *pflag.FlagSet, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		given, name := "--"+unknown.GetSpecifiedName(), unknown.GetSpecifiedName()
		if s := unknown.GetSpecifiedShortnames(); s != "" {
			given, name = "-"+s, s
		}
		names := flagNames(fs)
		if len(names) == 0 {
			return fmt.Errorf("unknown flag %s: this command has none", given)
		}
		if cmd.args == configArgs && slices.Contains([]string{"config", "conf", "scenario"}, name) {
			return fmt.Errorf("unknown flag %s: CONFIG stands alone, as in qbb %s config.txt", given, cmd.name)
		}
		if near := nearestFlag(name, names); near != "" {
			return fmt.Errorf("unknown flag %s: did you mean --%s?", given, near)
		}
		return fmt.Errorf("unknown flag %s: see qbb help %s", given, fs.Name())
	case errors.As(err, &missing):
		value, _ := splitUsage(missing.GetFlag())
		return fmt.Errorf("--%s needs a value: --%s %s", missing.GetFlag().Name, missing.GetFlag().Name, value)
	case errors.As(err, &invalid):
		fix := "write a whole number"
		if invalid.GetFlag().Value.Type() == "bool" {
			fix = "write true or false, or nothing"
		}
		return fmt.Errorf("--%s %q: %s", invalid.GetFlag().Name, invalid.GetValue(), fix)
	}
	return err
}

// nearestFlag returns the flag that somebody may have meant: one that begins with the given name, has it as one of its
// words, or begins it; otherwise one that takes few edits; or none.
func nearestFlag(name string, names []string) string {
	for _, like := range []func(n string) bool{
		func(n string) bool { return strings.HasPrefix(n, name) },
		func(n string) bool { return slices.Contains(strings.Split(n, "-"), name) },
		func(n string) bool { return strings.HasPrefix(name, n) },
	} {
		if alike := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !like(n) }); len(alike) > 0 {
			return spelling.Nearest(name, alike)
		}
	}
	near := spelling.Nearest(name, names)
	if spelling.Distance(name, near) > max(1, len(name)/2-1) {
		return ""
	}
	return near
}

func flagNames(fs *pflag.FlagSet) []string {
	var names []string
	fs.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return names
}
