/** Files and threads in Node: experiments with files, loading and saving with compression, evaluating as a stream, features and models,
 *  teams of workers for training, output files that are complete or not there, the terminal, and the browser app. */

export { appFolder, saveApp } from './app-files.js';
export { experiment, FileExperiment } from './experiment.js';
export { enterFolder, type FileSource, fileSource, filesOfArgument, withNamedSources } from './files.js';
export { type Interrupt, ignoreInterrupts, listenForInterrupt } from './interrupt.js';
export { type LoadFeaturesOptions, loadFeatures } from './letor/load-features.js';
export { loadModel } from './letor/load-model.js';
export { loadQrels, loadRun, loadScores } from './load.js';
export { type FigureForm, figureForms, saveLineCharts } from './output/figures.js';
export { appendText, writeOutputFile, writeWholeFile, writeWholeFiles } from './output/output-file.js';
export { checkOutput, ownDescriptor } from './output/output-place.js';
export { type SaveOptions, saveParquetScores, savePredictions, saveQrels, saveRun } from './output/save.js';
export { reportForms, reportPage, reportWriter, saveReport } from './output/save-report.js';
export { verdictPicture } from './output/verdict-picture.js';
export { nodePlatform } from './platform.js';
export { bytesToRead, watchReading } from './reading-watch.js';
export { refuseOverwriting, type UsedFile } from './same-file.js';
export { type MessageArray, MessageRoom, readMessage, type WorkerMessage, writeMessage } from './serving/messages.js';
export { openInBrowser, type ServedApp, type ServeOptions, serveFolder, untilStopped } from './serving/serve.js';
export { evaluateRunFile, type StreamRequest, type StreamScores } from './streams/stream-evaluate.js';
export { BrokenPipe, DescriptorWriter } from './terminal.js';
export { createTeam, keepThreads, type WorkerTeam } from './threads/team.js';
export { trainingTeam } from './threads/training-team.js';
export { nodeRankLibHost, nodeToolHost } from './tool-host.js';
export { nodeTrecEvalHost } from './trec-eval-host.js';
export { gradusVersion } from './version.js';
