# Every part that the model holds.
using Workerd = import "/workerd/workerd.capnp";
using Lib = import "lib/worker.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .mainWorker),
    (name = "lib", worker = Lib.worker),
    (name = "do-storage", disk = (writable = true, allowDotfiles = true)),
    (name = "net", network = (allow = ["private"], deny = ["local"], tlsOptions = (trustBrowserCas = true))),
    (name = "back", external = (address = "localhost:1", https = (certificateHost = "h", tlsOptions = ()))),
    (name = "cache", bucket = "path"),
  ],
  sockets = [
    (name = "http", address = "*:8080", http = (style = proxy, injectRequestHeaders = [(name = "x", value = "y"), (name = "z")]), service = "main"),
    (name = "tcp", address = "*:8081", tcp = (), service = (name = "lib", entrypoint = "Other")),
  ],
  extensions = [(modules = [(name = "ext:a", esModule = "export default 1", internal = true)])],
  v8Flags = ["--expose-gc"],
  autogates = ["gate"],
  logging = (structuredLogging = true, stdoutPrefix = "p"),
);

const mainWorker :Workerd.Worker = (
  modules = [
    (name = "worker", esModule = embed "worker.js"),
    (name = "c", commonJsModule = "module.exports = 1", namedExports = ["a", "b"]),
    (name = "d", data = 0x"01 02"),
  ],
  compatibilityDate = "2026-11-01",
  compatibilityFlags = ["nodejs_compat"],
  bindings = [
    (name = "T", text = "a" "b"),
    (name = "J", json = "{}"),
    (name = "W", wasmModule = embed "worker.js"),
    (name = "E", fromEnvironment = "HOME"),
    (name = "S", service = (name = "lib", entrypoint = "Other", props = (json = "1"))),
    (name = "N", durableObjectNamespace = "A"),
    (name = "R", durableObjectNamespace = (className = "B", serviceName = "lib")),
    (name = "X", wrapped = (moduleName = "ext:a", innerBindings = [(name = "inner", text = "i")])),
    (name = "M", memoryCache = (id = "id", limits = (maxKeys = 1, maxValueSize = 2, maxTotalValueSize = 3))),
    (name = "L", workerLoader = (id = "loader")),
    (name = "Q", queue = "lib"),
    (name = "U", unsafeEval = void),
    (name = "K", cryptoKey = (raw = 0x"00", algorithm = (name = "HMAC"), usages = [sign, verify])),
  ],
  durableObjectNamespaces = [
    (className = "A", uniqueKey = "key-a", enableSql = true, preventEviction = true),
    (className = "E", ephemeralLocal = void, container = (imageName = "i")),
  ],
  durableObjectStorage = (localDisk = "do-storage"),
  globalOutbound = "net",
  tails = ["lib"],
  streamingTails = ["lib"],
  containerEngine = (localDocker = (socketPath = "/s")),
  accessBlobHeader = "h",
);
