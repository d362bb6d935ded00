// SPDX-License-Identifier: GPL-3.0-or-later
// A job type of Flamenco 3.7 or newer: walks a folder that Export Jobs has written. Put it into the manager's folder
// `scripts`. Each task walks one part of the jobs and the last one writes summary.json. All workers see the folder under
// the name that is submitted, and have the extension installed. No .blend file is opened.

const JOB_TYPE = {
    label: "Biped Walks",
    description: "Walk the jobs of a folder that Export Jobs of Biped Locomotion has written",
    settings: [
        { key: "folder", type: "string", subtype: "dir_path", required: true, visible: "submission",
          description: "The folder of the jobs, on storage that all workers share" },
        { key: "chunk_size", type: "int32", default: 20, propargs: {min: 1, max: 10000}, visible: "submission",
          description: "How many jobs a task walks" },
        { key: "retry", type: "bool", default: false, visible: "submission",
          description: "Walk those again, too, that could not be walked" },
        { key: "extension", type: "string", default: "bl_ext.user_default.biped_locomotion", visible: "submission",
          description: "The extension's name on the workers, as Blender's preferences keep it" },
        { key: "job_count", type: "int32", required: true, editable: false, visible: "web",
          eval: "len([f for f in Path(abspath(settings.folder)).glob('*.json') if not f.name.startswith('.')" +
                " and not f.name.endswith('.error.json') and f.name not in ('summary.json', 'manifest.json')])",
          description: "How many jobs the folder has" },
    ]
};

function compileJob(job) {
    const settings = job.settings;
    if (!settings.folder) {
        throw "Choose the folder that Export Jobs has written.";
    }
    if (!(settings.chunk_size >= 1)) {
        throw "A task must walk one job or more.";
    }
    if (!(settings.job_count >= 1)) {
        throw "The folder has no jobs: choose one that Export Jobs has written.";
    }
    const parts = Math.ceil(settings.job_count / settings.chunk_size);
    const summary = batchTask("summary", settings, ["--summary"]);
    for (let part = 1; part <= parts; part++) {
        const retry = settings.retry ? ["--retry"] : [];
        const task = batchTask(`walk-${part}-of-${parts}`, settings, ["--part", `${part}/${parts}`, ...retry]);
        summary.addDependency(task);
        job.addTask(task);
    }
    job.addTask(summary);
}

function batchTask(name, settings, options) {
    const task = author.Task(name, "blender");
    task.addCommand(author.Command("exec", {
        exe: "{blender}",
        args: ["--background", "--factory-startup", "--python-exit-code", "1", "--addons", settings.extension,
               "--command", "biped_batch", settings.folder, "--lines", ...options],
    }));
    return task;
}
