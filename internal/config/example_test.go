package config_test

import (
	"fmt"

	"github.com/durashim/durashim/internal/config"
)

// A directory is searched for a wrangler file; what the file implies, such as the
// disk service for the objects, is in the model too.
func ExampleLoad() {
	c, err := config.Load("testdata/wrangler-toml")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range c.Services {
		fmt.Println("service", s.Name)
	}
	for _, n := range c.Services[0].Worker.Namespaces {
		fmt.Println("class", n.ClassName, "key", n.UniqueKey, "declared at line", n.Pos.Line)
	}
	// Output:
	// service shop
	// service shop-do-storage
	// class Counter key shop-Counter declared at line 15
}

// In a Cap'n Proto file the constant of type Config is looked for.
func ExampleLoad_workerd() {
	c, err := config.Load("testdata/workerd/config.capnp", config.WithConst("config"))
	if err != nil {
		fmt.Println(err)
		return
	}
	main := c.Service("main").Worker
	fmt.Println(main.Modules[0].Kind, main.Modules[0].Name, len(main.Modules[0].Content), "bytes")
	fmt.Println(main.Storage.Kind, main.Storage.Disk)
	for _, u := range main.Unsupported {
		fmt.Println("not supported:", u.Name, "at line", u.Pos.Line)
	}
	// Output:
	// esModule worker 19 bytes
	// localDisk do-storage
	// not supported: Worker.accessBlobHeader at line 56
	// not supported: Worker.containerEngine at line 55
}
