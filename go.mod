module github.com/qbb-sim/qbb

go 1.26
