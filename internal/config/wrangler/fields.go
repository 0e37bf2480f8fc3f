package wrangler

// scope says where a field may stand and whether a named environment inherits it
// (https://developers.cloudflare.com/workers/wrangler/configuration/#environments).
type scope int

const (
	// inherited fields of the top level hold for an environment that does not
	// state them.
	inherited scope = iota
	// own fields must be stated in each environment again.
	own
	// topOnly fields may not stand in an environment and hold for all.
	topOnly
)

// use says what becomes of a field's value.
type use int

const (
	// used fields are read by the caller.
	used use = iota
	// ignored fields mean nothing to a local runtime: deployment, accounts.
	ignored
	// unsupported fields change what a Worker can do, but are not read. They
	// are reported if they have a value that is not empty.
	unsupported
)

// topField is a field of the top level.
type topField struct {
	name  string
	shape *shape
	scope scope
	use   use
}

var (
	doBinding = object(
		mustField("name", str), mustField("class_name", str), field("script_name", str), field("environment", str))
	migration = object(
		field("tag", str), field("new_classes", strs), field("new_sqlite_classes", strs),
		field("renamed_classes", list(object(mustField("from", str), mustField("to", str)))),
		field("deleted_classes", strs), field("transferred_classes", list(anything)))
	export = object(
		mustField("type", words("durable-object")), field("state", words("created", "deleted", "renamed")),
		field("storage", words("sqlite", "legacy-kv")), field("renamed_to", str))
	serviceBinding = object(
		mustField("binding", str), mustField("service", str), field("environment", str),
		field("entrypoint", str), field("props", mapOf(anything)), field("remote", boolean))
	rule = object(
		mustField("type", words("ESModule", "CommonJS", "CompiledWasm", "Text", "Data", "PythonModule", "PythonRequirement")),
		mustField("globs", strs), field("fallthrough", boolean))
	consumer = object(mustField("service", str), field("environment", str))
	dev      = object(
		field("ip", str), field("port", num), field("inspector_port", num), field("inspector_ip", str),
		field("local_protocol", words("http", "https")), field("upstream_protocol", words("http", "https")),
		field("host", str), field("enable_containers", boolean), field("container_engine", anything),
		field("generate_types", boolean))
)

// topFields are all fields that are known, after the documentation
// (https://developers.cloudflare.com/workers/wrangler/configuration/) and the
// JSON schema that wrangler ships; `exports` is known from workerd, whose own
// reader of these files takes it.
var topFields = []topField{
	{"name", str, inherited, used},
	{"main", str, inherited, used},
	{"compatibility_date", str, inherited, used},
	{"compatibility_flags", strs, inherited, used},
	{"rules", list(rule), inherited, used},
	{"no_bundle", boolean, inherited, used},
	{"find_additional_modules", boolean, inherited, used},
	{"base_dir", str, inherited, used},
	{"tsconfig", str, inherited, used},
	{"jsx_factory", str, inherited, used},
	{"jsx_fragment", str, inherited, used},
	{"triggers", object(field("crons", either(strs, anything)), field("schedules", anything)), inherited, used},
	{"migrations", list(migration), inherited, used},
	{"exports", mapOf(export), inherited, used},

	{"vars", mapOf(anything), own, used},
	{"define", mapOf(str), own, used},
	{"durable_objects", object(field("bindings", list(doBinding))), own, used},
	{"services", list(serviceBinding), own, used},
	{"tail_consumers", list(consumer), own, used},
	{"streaming_tail_consumers", list(consumer), own, used},

	{"wasm_modules", mapOf(str), topOnly, used},
	{"text_blobs", mapOf(str), topOnly, used},
	{"data_blobs", mapOf(str), topOnly, used},
	{"alias", mapOf(str), topOnly, used},
	{"dev", dev, topOnly, used},

	{"$schema", str, topOnly, ignored},
	{"account_id", either(str, &shape{kind: Null}), inherited, ignored},
	{"cache", anything, inherited, ignored},
	{"compliance_region", anything, inherited, ignored},
	{"first_party_worker", anything, inherited, ignored},
	{"keep_names", boolean, inherited, ignored},
	{"keep_vars", boolean, topOnly, ignored},
	{"legacy_env", boolean, topOnly, ignored},
	{"limits", anything, inherited, ignored},
	{"logfwdr", anything, inherited, ignored},
	{"logpush", boolean, inherited, ignored},
	{"minify", boolean, inherited, ignored},
	{"observability", anything, inherited, ignored},
	{"placement", anything, inherited, ignored},
	{"preserve_file_names", boolean, inherited, ignored},
	{"preview_urls", boolean, inherited, ignored},
	{"previews", anything, inherited, ignored},
	{"python_modules", anything, inherited, ignored},
	{"route", anything, inherited, ignored},
	{"routes", anything, inherited, ignored},
	{"secrets", anything, own, ignored},
	{"send_metrics", boolean, topOnly, ignored},
	{"upload_source_maps", boolean, inherited, ignored},
	{"usage_model", str, inherited, ignored},
	{"workers_dev", boolean, inherited, ignored},
	{"zone_id", str, inherited, ignored},

	{"ai", anything, own, unsupported},
	{"ai_search", anything, own, unsupported},
	{"ai_search_namespaces", anything, own, unsupported},
	{"analytics_engine_datasets", anything, own, unsupported},
	{"artifacts", anything, own, unsupported},
	{"assets", anything, inherited, unsupported},
	{"browser", anything, own, unsupported},
	{"build", anything, inherited, unsupported},
	{"cloudchamber", anything, own, unsupported},
	{"containers", anything, inherited, unsupported},
	{"d1_databases", anything, own, unsupported},
	{"dispatch_namespaces", anything, own, unsupported},
	{"flagship", anything, own, unsupported},
	{"hyperdrive", anything, own, unsupported},
	{"images", anything, own, unsupported},
	{"kv_namespaces", anything, own, unsupported},
	{"media", anything, own, unsupported},
	{"mtls_certificates", anything, own, unsupported},
	{"pages_build_output_dir", anything, topOnly, unsupported},
	{"pipelines", anything, own, unsupported},
	{"queues", anything, own, unsupported},
	{"r2_buckets", anything, own, unsupported},
	{"ratelimits", anything, own, unsupported},
	{"secrets_store_secrets", anything, own, unsupported},
	{"send_email", anything, own, unsupported},
	{"site", anything, topOnly, unsupported},
	{"stream", anything, own, unsupported},
	{"unsafe", anything, own, unsupported},
	{"unsafe_hello_world", anything, own, unsupported},
	{"vectorize", anything, own, unsupported},
	{"version_metadata", anything, own, unsupported},
	{"vpc_networks", anything, own, unsupported},
	{"vpc_services", anything, own, unsupported},
	{"worker_loaders", anything, own, unsupported},
	{"workflows", anything, own, unsupported},
}

func topFieldNamed(name string) *topField {
	for i := range topFields {
		if topFields[i].name == name {
			return &topFields[i]
		}
	}
	return nil
}

func topFieldNames(env bool) []string {
	var out []string
	for _, f := range topFields {
		if !env || f.scope != topOnly {
			out = append(out, f.name)
		}
	}
	if !env {
		out = append(out, "env")
	}
	return out
}
