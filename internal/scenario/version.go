package scenario

import "runtime/debug"

// release is the version of the program when it is not built from a tagged module.
const release = "0.1.0"

// Version returns the version of the program, and the revision of its source where that is known.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	settings := make(map[string]string)
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	revision := settings["vcs.revision"]
	if revision == "" {
		return release
	}
	text := release + "+" + revision[:min(12, len(revision))]
	if settings["vcs.modified"] == "true" {
		text += ".modified"
	}
	return text
}
