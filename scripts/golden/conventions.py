"""Values that libraries give to small random rankings, one query at a time, for test/golden/conventions/values.json.

    pip install numpy scipy scikit-learn lightgbm xgboost-cpu catboost ir-measures ranx pytrec_eval-terrier
    pip install --no-deps beir
    python scripts/golden/conventions.py > test/golden/conventions/values.json
"""
import importlib.metadata
import json
import random
import sys
import warnings

import catboost.utils
import ir_measures
import lightgbm
import numpy
import pytrec_eval
import ranx
import sklearn.metrics
import xgboost

warnings.filterwarnings('ignore')
CUTOFFS = [1, 3, 5, 10]


def make_groups(rng, ties):
    """Lists of labels 0..4 with scores; every third one short, some without a relevant document."""
    groups = []
    for q in range(16):
        size = rng.choice([2, 3, 4]) if q % 3 == 0 else rng.randint(5, 14)
        labels = [0] * size if q % 5 == 4 else [rng.choice([0, 0, 0, 1, 1, 2, 3, 4]) for _ in range(size)]
        scores = [rng.randint(0, 3) for _ in range(size)] if ties else rng.sample(range(100), size)
        groups.append({'labels': labels, 'scores': scores})
    return groups


def make_collection(rng, ties):
    """Judgements and a run: unjudged documents retrieved, judged ones missed, one topic without an answer."""
    qrels, run = {}, {}
    for q in range(1, 13):
        docs = [f'd{i:02}' for i in range(20)]
        judged = rng.sample(docs, 10)
        qrels[f'q{q:02}'] = {d: 0 if q == 5 else rng.choice([0, 0, 1, 2, 3]) for d in judged}
        if q == 7:
            continue
        found = rng.sample(docs, rng.choice([3, 8, 15]))
        scores = [rng.randint(0, 3) for _ in found] if ties else rng.sample(range(100), len(found))
        run[f'q{q:02}'] = {d: float(s) for d, s in zip(found, scores)}
    return {'qrels': qrels, 'run': run}


def with_sklearn(group):
    labels, scores = [group['labels']], [group['scores']]
    return {f'nDCG@{k}': float(sklearn.metrics.ndcg_score(labels, scores, k=k)) for k in CUTOFFS}


def with_lightgbm(group):
    labels, scores = group['labels'], numpy.array(group['scores'], dtype=float)
    features = numpy.zeros((len(labels), 1))
    # a tree that cannot grow leaves the given scores as they are
    params = {'objective': 'lambdarank', 'metric': ['ndcg', 'map'], 'eval_at': CUTOFFS, 'verbose': -1, 'min_data_in_leaf': 1000,
              'min_data_in_bin': 1, 'feature_pre_filter': False, 'num_threads': 1}
    train = lightgbm.Dataset(features, labels, group=[len(labels)], init_score=scores, free_raw_data=False)
    recorded = {}
    lightgbm.train(params, train, 1, valid_sets=[train], valid_names=['v'], callbacks=[lightgbm.record_evaluation(recorded)])
    names = {'ndcg': 'nDCG', 'map': 'AP'}
    return {f'{names[m]}@{k}': recorded['v'][f'{m}@{k}'][0] for m in names for k in CUTOFFS}


def with_xgboost(group):
    labels, scores = group['labels'], numpy.array(group['scores'], dtype=numpy.float32)
    values = {}
    for theirs, ours, relevance in [('ndcg', 'nDCG', labels), ('map', 'AP', [min(1, l) for l in labels]), ('pre', 'P', [min(1, l) for l in labels])]:
        data = xgboost.DMatrix(numpy.zeros((len(labels), 1)), relevance, group=[len(labels)], base_margin=scores)
        for k in CUTOFFS:
            booster = xgboost.train({'objective': 'rank:ndcg', 'eval_metric': f'{theirs}@{k}', 'nthread': 1, 'base_score': 0, 'disable_default_eval_metric': 1}, data, 0)
            # printed with 17 digits when asked for through the C interface only; this text has all that is told
            values[f'{ours}@{k}'] = float(booster.eval(data).split(':')[-1])
    return values


def with_catboost(group):
    labels, scores = group['labels'], [float(s) for s in group['scores']]
    groups = [0] * len(labels)
    return {f'nDCG@{k}': float(catboost.utils.eval_metric(labels, scores, f'NDCG:top={k};type=Base', group_id=groups)[0]) for k in CUTOFFS}


def with_ir_measures(collection):
    wanted = ['nDCG@3', 'nDCG@10', 'nDCG', 'AP', 'AP@5', 'P@5', 'RR', 'R@5', 'P(rel=2)@5']
    values = {m: {} for m in wanted}
    for row in ir_measures.iter_calc([ir_measures.parse_measure(m) for m in wanted], collection['qrels'], collection['run']):
        values[str(row.measure)][row.query_id] = row.value
    return values


def with_ranx(collection):
    names = {'ndcg@3': 'nDCG@3', 'ndcg@10': 'nDCG@10', 'ndcg': 'nDCG', 'map': 'AP', 'map@5': 'AP@5', 'precision@5': 'P@5', 'mrr': 'RR', 'recall@5': 'R@5'}
    run = ranx.Run(collection['run'])
    ranx.evaluate(ranx.Qrels(collection['qrels']), run, list(names), make_comparable=True)
    return {ours: {q: float(v) for q, v in run.scores[theirs].items()} for theirs, ours in names.items()}


def with_beir(collection):
    """What BEIR's evaluate hands to pytrec_eval; its own module is used where it can be imported."""
    from beir.retrieval.evaluation import EvaluateRetrieval
    ndcg, ap, recall, precision = EvaluateRetrieval.evaluate(collection['qrels'], collection['run'], [3, 5, 10])
    return {'nDCG@3': ndcg['NDCG@3'], 'nDCG@10': ndcg['NDCG@10'], 'AP@5': ap['MAP@5'], 'R@5': recall['Recall@5'], 'P@5': precision['P@5']}


def main():
    rng = random.Random(20240229)
    groups = {'plain': make_groups(rng, False), 'ties': make_groups(rng, True)}
    collections = {'plain': make_collection(rng, False), 'ties': make_collection(rng, True)}
    packages = ['scikit-learn', 'lightgbm', 'xgboost-cpu', 'catboost', 'ir_measures', 'ranx', 'pytrec_eval-terrier', 'beir']
    result = {
        'versions': {name: importlib.metadata.version(name) for name in packages},
        'groups': groups,
        'collections': collections,
        'perQuery': {name: {data: [compute(g) for g in groups[data]] for data in groups} for name, compute in
                     [('sklearn', with_sklearn), ('lightgbm', with_lightgbm), ('xgboost', with_xgboost), ('catboost', with_catboost)]},
        'perTopic': {'ir_measures': {data: with_ir_measures(c) for data, c in collections.items()}, 'ranx': {'plain': with_ranx(collections['plain'])}},
        'means': {},
    }
    try:
        result['means']['beir'] = {data: with_beir(c) for data, c in collections.items()}
    except ImportError as error:
        print(f'BEIR left out: {error}', file=sys.stderr)
    json.dump(result, sys.stdout, separators=(',', ':'))
    print()


main()
