// Trains the arms of the registered claims and keeps what was measured; it shows no number. reproductions/registered-claims.mjs judges.
//
//   npm run build && node reproductions/train.mjs DATA [--arms 'AdaRank by*,RankSVM by RankLib'] [--collect]
//
// DATA holds mq2008 and ohsumed. Partitions are kept in .cache/reproductions/train as they are finished, so that an interrupted run goes
// on where it was, and are added to reproductions/values when all that was asked for is there; --collect adds what there is and trains
// nothing.
import { arms } from './src/arms.mjs';
import { experimentArguments, valuesFolder } from './src/study.mjs';
import { Archive, collectFinished, trainArms, trainingCollections } from './src/trainer.mjs';

const args = experimentArguments('train', 'DATA');
const isNamed = (id, name) => (name.endsWith('*') ? id.startsWith(name.slice(0, -1)) : id === name);
const wanted = args.arms === undefined ? arms : args.arms.flatMap((name) => arms.filter(({ id }) => isNamed(id, name)));
const collectionOf = trainingCollections(args);
const archive = new Archive(valuesFolder(args));
if (args.collect) collectFinished(wanted, args, archive, collectionOf);
else await trainArms(wanted, args, archive, collectionOf);
