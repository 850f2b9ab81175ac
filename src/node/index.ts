/** Files and threads in Node: experiments with files, loading and saving with compression, evaluating as a stream, features and models,
 *  teams of workers for training, output files that are complete or not there, the terminal, and the browser app. */

export { appFolder } from './app-files.js';
export { experiment, FileExperiment } from './experiment.js';
export { type FileSource, fileSource } from './files.js';
export { type Interrupt, listenForInterrupt } from './interrupt.js';
export { loadQrels, loadRun, loadScores } from './load.js';
export { type LoadFeaturesOptions, loadFeatures } from './load-features.js';
export { loadModel } from './load-model.js';
export { appendText, writeOutputFile, writeWholeFile, writeWholeFiles } from './output-file.js';
export { checkOutput } from './output-place.js';
export { nodePlatform } from './platform.js';
export { refuseOverwriting, type UsedFile } from './same-file.js';
export { type SaveOptions, saveParquetScores, savePredictions, saveQrels, saveRun } from './save.js';
export { saveLineCharts } from './save-charts.js';
export { reportForms, reportPage, reportWriter, saveReport } from './save-report.js';
export { openInBrowser, type ServedApp, type ServeOptions, serveFolder, untilStopped } from './serve.js';
export { evaluateRunFile, type StreamRequest, type StreamScores } from './stream-evaluate.js';
export { createTeam, type WorkerTeam } from './team.js';
export { BrokenPipe, DescriptorWriter } from './terminal.js';
export { nodeToolHost } from './tool-host.js';
export { trainingTeam } from './training-team.js';
export { nodeTrecEvalHost } from './trec-eval-host.js';
export { gradusVersion } from './version.js';
