using Workerd = import "/workerd/workerd.capnp";

const worker :Workerd.Worker = (
  modules = [(name = "lib", esModule = embed "../worker.js")],
  compatibilityDate = "2026-11-01",
  durableObjectNamespaces = [(className = "B", uniqueKey = "key-b")],
  durableObjectStorage = (inMemory = void),
  containerEngine = (none = void),
);
