// What Flamenco gives a job type, as far as ours may use it: each field is checked, and the tasks are printed as JSON.
// node flamenco.js JOB_TYPE.js '{"settings": ...}'
"use strict";
const fs = require("fs");
const vm = require("vm");

const SETTING = { // pkg/api/flamenco-openapi.yaml: AvailableJobSetting
    key: "string", type: "string", subtype: "string", choices: "object", propargs: "object", description: "string",
    label: "string", default: "any", eval: "string", evalInfo: "object", visible: "string", required: "boolean",
    editable: "boolean",
};
const TYPES = { string: "string", int32: "number", float: "number", bool: "boolean" };
const SUBTYPES = ["file_path", "dir_path", "file_name", "hashed_file_path"];
const VISIBLE = ["visible", "hidden", "submission", "web"];
const COMMANDS = { exec: { exe: "string", args: "object" } };

function fail(message) { throw new Error(message); }

function checkJobType(type) {
    for (const key of Object.keys(type)) {
        if (!["label", "description", "settings"].includes(key)) fail(`JOB_TYPE.${key} is unknown`);
    }
    if (typeof type.label !== "string" || !Array.isArray(type.settings)) fail("JOB_TYPE has no label or no settings");
    const keys = new Set();
    for (const setting of type.settings) {
        for (const [field, value] of Object.entries(setting)) {
            if (!(field in SETTING)) fail(`${setting.key}.${field} is unknown`);
            if (SETTING[field] !== "any" && typeof value !== SETTING[field]) fail(`${setting.key}.${field} has a wrong type`);
        }
        if (!(setting.type in TYPES)) fail(`${setting.key}.type ${setting.type} is unknown`);
        if ("default" in setting && typeof setting.default !== TYPES[setting.type]) fail(`${setting.key}.default`);
        if ("subtype" in setting && !SUBTYPES.includes(setting.subtype)) fail(`${setting.key}.subtype`);
        if ("visible" in setting && !VISIBLE.includes(setting.visible)) fail(`${setting.key}.visible`);
        if (keys.has(setting.key)) fail(`${setting.key} is there twice`);
        keys.add(setting.key);
    }
}

class Command {
    constructor(name, parameters) {
        const known = COMMANDS[name] || fail(`the command ${name} is unknown`);
        for (const [key, value] of Object.entries(parameters)) {
            if (typeof value !== known[key]) fail(`${name}.${key} is unknown or has a wrong type`);
        }
        if (Object.keys(known).some((key) => !(key in parameters))) fail(`${name} lacks a parameter`);
        if (!Array.isArray(parameters.args) || parameters.args.some((one) => typeof one !== "string")) fail(`${name}.args`);
        Object.assign(this, { name, parameters });
    }
}

class Task {
    constructor(name, type) {
        if (typeof name !== "string" || typeof type !== "string") fail("a task has no name or no type");
        Object.assign(this, { name, type, commands: [], dependencies: [] });
    }
    addCommand(command) { if (!(command instanceof Command)) fail("no command"); this.commands.push(command); }
    addDependency(task) { if (!(task instanceof Task)) fail("no task"); this.dependencies.push(task.name); }
}

class Job {
    constructor(settings) { Object.assign(this, { settings, tasks: [] }); }
    addTask(task) { if (!(task instanceof Task)) fail("no task"); this.tasks.push(task); }
}

const source = fs.readFileSync(process.argv[2], "utf8") + "\n;({ JOB_TYPE, compileJob });";
const only = { author: { Task: (name, type) => new Task(name, type), Command: (name, own) => new Command(name, own) } };
// Flamenco's functions are called with `new` or without it.
only.author.Task = new Proxy(Task, { apply: (target, _, given) => new target(...given) });
only.author.Command = new Proxy(Command, { apply: (target, _, given) => new target(...given) });
const made = vm.runInNewContext(source, only);
const job = new Job(JSON.parse(process.argv[3]));
const plain = JSON.parse(JSON.stringify(made.JOB_TYPE));
checkJobType(plain);
try {
    made.compileJob(job);
} catch (error) {
    console.log(JSON.stringify({ type: plain, refused: String(error && error.message || error) }));
    process.exit(0);
}
for (const task of job.tasks) {
    for (const name of task.dependencies) {
        if (!job.tasks.some((other) => other.name === name)) fail(`${name} is in no job`);
    }
}
console.log(JSON.stringify({ type: plain, tasks: job.tasks }));
