using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .main),
    (name = "network", network = (allow = ["private"])),
    (name = "denied", network = (allow = ["private"], deny = ["127.0.0.0/8", "::1/128"])),
    (name = "server", external = (address = "127.0.0.1:1", http = ())),
    (name = "proxy", external = (address = "127.0.0.1:1", http = (style = proxy, cfBlobHeader = "x-cf",
      injectRequestHeaders = [(name = "x-inject", value = "1"), (name = "x-remove")],
      injectResponseHeaders = [(name = "x-added", value = "2")]))),
  ],
  sockets = [
    (name = "http", address = "127.0.0.1:0", http = (), service = "main"),
    (name = "named", address = "127.0.0.1:0", http = (forwardedProtoHeader = "x-proto", injectRequestHeaders = [(name = "x-inject", value = "1")],
      injectResponseHeaders = [(name = "x-added", value = "2")]), service = (name = "main", entrypoint = "Named")),
  ],
);

const main :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ["enable_request_signal"],
  globalOutbound = "network",
  bindings = [
    (name = "SELF", service = (name = "main", entrypoint = "Named")),
    (name = "INTERNET", service = "internet"),
    (name = "DENIED", service = "denied"),
    (name = "SERVER", service = "server"),
    (name = "PROXY", service = "proxy"),
    (name = "OBJECT", durableObjectNamespace = "Echo"),
  ],
  durableObjectNamespaces = [(className = "Echo", uniqueKey = "echo")],
  durableObjectStorage = (inMemory = void),
);
