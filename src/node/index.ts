/** Files and threads in Node: experiments with files, loading and saving with compression, evaluating as a stream, features and models,
 *  teams of workers for training, output files that are complete or not there, the terminal, and the browser app. */

export { appFolder } from './app-files.js';
export { experiment, FileExperiment } from './experiment.js';
export { type FileSource, fileSource, filesOfArgument } from './files.js';
export { type Interrupt, listenForInterrupt } from './interrupt.js';
export { type LoadFeaturesOptions, loadFeatures } from './letor/load-features.js';
export { loadModel } from './letor/load-model.js';
export { loadQrels, loadRun, loadScores } from './load.js';
export { type FigureForm, figureForms, saveLineCharts } from './output/figures.js';
export { appendText, writeOutputFile, writeWholeFile, writeWholeFiles } from './output/output-file.js';
export { checkOutput } from './output/output-place.js';
export { type SaveOptions, saveParquetScores, savePredictions, saveQrels, saveRun } from './output/save.js';
export { reportForms, reportPage, reportWriter, saveReport } from './output/save-report.js';
export { nodePlatform } from './platform.js';
export { refuseOverwriting, type UsedFile } from './same-file.js';
export { openInBrowser, type ServedApp, type ServeOptions, serveFolder, untilStopped } from './serving/serve.js';
export { evaluateRunFile, type StreamRequest, type StreamScores } from './streams/stream-evaluate.js';
export { BrokenPipe, DescriptorWriter } from './terminal.js';
export { createTeam, type WorkerTeam } from './threads/team.js';
export { trainingTeam } from './threads/training-team.js';
export { nodeRankLibHost, nodeToolHost } from './tool-host.js';
export { nodeTrecEvalHost } from './trec-eval-host.js';
export { gradusVersion } from './version.js';
