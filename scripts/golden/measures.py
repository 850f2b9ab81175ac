"""What other tools say about the same rankings, one value per topic.

    pip install ir_measures==0.4.3 pytrec-eval-terrier==0.5.11 cwl-eval==1.0.12 pyndeval==0.0.8 \
        pyNTCIREVAL==0.0.3 ranx==0.3.21 scikit-learn==1.9.1
    python scripts/golden/measures.py test/golden/measures

writes data.json (four collections, made from a seed) and one file per tool: the measure in the spelling of Gradus, or in the
tool's own where Gradus reads it, and its value for each topic. gdeval, which ir_measures calls, needs perl.

    python scripts/golden/measures.py OUT DATA.json

takes the collections from DATA.json instead, which may leave some out; scripts/check-measures.mjs does that with real runs.
"""

import contextlib
import io
import json
import math
import os
import random
import sys
import tempfile
from importlib.metadata import version

OUT = os.path.abspath(sys.argv[1])
GIVEN = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else None
# some tools write logs to the working directory
os.chdir(tempfile.mkdtemp())


def clean(content):
    """Numbers that a tool fails to give are null."""
    if isinstance(content, dict):
        return {key: clean(value) for key, value in content.items()}
    return None if isinstance(content, float) and not math.isfinite(content) else content


def write(name, content):
    with open(os.path.join(OUT, name), "w") as file:
        json.dump(clean(content), file, indent=1, sort_keys=True, allow_nan=False)
        file.write("\n")


def graded(rng):
    """Grades 0 to 3, unjudged documents, topics of many lengths; scores without ties."""
    qrels, run = {}, {}
    for topic in range(1, 15):
        name = str(topic)
        judged = 1 if topic == 3 else rng.randint(5, 30)
        qrels[name] = {f"d{topic}-{i}": rng.choice([0, 0, 0, 1, 1, 2, 3]) for i in range(judged)}
        if topic == 5:
            qrels[name] = {doc: 0 for doc in qrels[name]}
        if topic == 6:
            qrels[name] = {doc: max(1, grade) for doc, grade in qrels[name].items()}
        if topic == 4:
            continue
        length = 1 if topic == 7 else rng.randint(3, 40)
        docs = [f"d{topic}-{i}" for i in range(judged + 15)]
        rng.shuffle(docs)
        scores = rng.sample(range(1, 1000), min(length, len(docs)))
        run[name] = {doc: float(score) for doc, score in zip(docs, scores)}
    return qrels, run


def tied(rng):
    """Few distinct scores, every document judged: what learning to rank tools see."""
    qrels, run = {}, {}
    for topic in range(1, 9):
        name = str(topic)
        docs = [f"t{topic}-{i}" for i in range(rng.randint(2, 9))]
        qrels[name] = {doc: rng.choice([0, 0, 1, 2]) for doc in docs}
        qrels[name][docs[0]] = 1
        run[name] = {doc: float(rng.randint(1, 4)) for doc in docs}
    return qrels, run


def diverse(rng):
    """Judgements per subtopic."""
    qrels, run = [], {}
    for topic in range(1, 11):
        name = str(topic)
        subtopics = rng.randint(1, 5)
        docs = [f"s{topic}-{i}" for i in range(rng.randint(4, 20))]
        for doc in docs:
            for subtopic in range(1, subtopics + 1):
                if rng.random() < 0.7:
                    grade = 0 if topic == 5 else rng.choice([0, 0, 1, 1, 2])
                    qrels.append([name, str(subtopic), doc, grade])
        pool = docs + [f"u{topic}-{i}" for i in range(8)]
        rng.shuffle(pool)
        pool = pool[: rng.randint(2, len(pool))]
        scores = rng.sample(range(1, 1000), len(pool))
        run[name] = {doc: float(score) for doc, score in zip(pool, scores)}
    return qrels, run


def close(rng):
    """Scores of which some differ in 64 bits and not in 32."""
    qrels, run = {}, {}
    for topic in range(1, 9):
        docs = [f"c{topic}-{i}" for i in range(12)]
        rng.shuffle(docs)
        qrels[str(topic)] = {doc: rng.choice([0, 1, 2]) for doc in docs}
        run[str(topic)] = {doc: 1 + (i // 4) + i * 1e-9 for i, doc in enumerate(docs)}
    return qrels, run


CLOSE = ["nDCG@5", "AP", "P@3", "RR"]


def close_with_ir_measures(qrels, run):
    import ir_measures

    values = {name: {} for name in CLOSE}
    for row in ir_measures.iter_calc([ir_measures.parse_measure(name) for name in CLOSE], qrels, run):
        values[str(row.measure)][row.query_id] = row.value
    return values


def close_with_ranx(qrels, run):
    from ranx import Qrels, Run, evaluate

    names = dict(zip(["ndcg@5", "map", "precision@3", "mrr"], CLOSE))
    result = Run(run)
    evaluate(Qrels(qrels), result, list(names))
    return {ours: {topic: float(value) for topic, value in result.scores[name].items()} for name, ours in names.items()}


def close_with_pytrec_eval(qrels, run):
    import pytrec_eval

    names = dict(zip(["ndcg_cut_5", "map", "P_3", "recip_rank"], CLOSE))
    found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.5", "map", "P.3", "recip_rank"}).evaluate(run)
    return {ours: {topic: scores[name] for topic, scores in found.items()} for name, ours in names.items()}


def with_ir_measures(qrels, run, diverse_qrels, diverse_run):
    import ir_measures
    from ir_measures import Qrel, ScoredDoc

    names = """P@5 P(rel=2)@5 P(judged_only=True)@5 R@10 R(rel=2)@10 AP AP@10 AP(rel=2) AP(judged_only=True) RR RR(rel=2) RR@5
        Rprec Rprec(rel=3) Bpref Bpref(rel=2) infAP IPrec@0.0 IPrec@0.3 IPrec@1.0 nDCG nDCG@10 nDCG(judged_only=True)@5
        nDCG(dcg='exp-log2')@10 nDCG(gains={1:5,2:6,3:7})@10 ERR@10 ERR@20 RBP(rel=1) RBP(p=0.5,rel=2) Success@3 Success(rel=3)@3 NumQ NumRet NumRel
        NumRelRet SetP SetP(rel=2) SetRelP SetR SetF SetAP Judged@10 Judged Accuracy Accuracy@10 Accuracy(rel=2)
        Compat Compat(p=0.8) Compat(normalize=False) BPM(max_rel=3)@10 BPM(T=2.0,max_rel=3)@5 SDCG(max_rel=3)@10
        SDCG(min_rel=1,max_rel=3)@10 NERR8(max_rel=3)@10 NERR9(max_rel=3)@10 NERR10(max_rel=3) NERR10(p=0.5,max_rel=4)
        NERR11(max_rel=3) NERR11(T=2.0,max_rel=3) INST(max_rel=3) INST(T=2.0,max_rel=3) INSQ(max_rel=3) INSQ(T=2.0,max_rel=3)""".split()
    values = {}
    flat_qrels = [Qrel(t, d, g) for t, docs in qrels.items() for d, g in docs.items()]
    flat_run = [ScoredDoc(t, d, s) for t, docs in run.items() for d, s in docs.items()]
    for name in names:
        measure = ir_measures.parse_measure(name)
        try:
            values[name] = {m.query_id: m.value for m in ir_measures.iter_calc([measure], flat_qrels, flat_run)}
        except ZeroDivisionError:
            # topic by topic, because Accuracy fails on a ranking of relevant documents only
            values[name] = {}
            for topic in qrels:
                judged = [qrel for qrel in flat_qrels if qrel.query_id == topic]
                ranked = [doc for doc in flat_run if doc.query_id == topic]
                with contextlib.suppress(ZeroDivisionError):
                    values[name].update({m.query_id: m.value for m in ir_measures.iter_calc([measure], judged, ranked)})

    names = """alpha_nDCG@5 alpha_nDCG@10 alpha_nDCG(alpha=0.2)@10 alpha_nDCG(rel=2)@10 alpha_DCG@5 alpha_DCG@20 ERR_IA@5 ERR_IA@20
        nERR_IA@5 nERR_IA@10 NRBP NRBP(alpha=0.2,beta=0.8) nNRBP AP_IA AP_IA(rel=2) P_IA@5 P_IA@20 StRecall@5 StRecall@20""".split()
    diversity = {}
    flat_qrels = [Qrel(t, d, g, s) for t, s, d, g in diverse_qrels]
    flat_run = [ScoredDoc(t, d, s) for t, docs in diverse_run.items() for d, s in docs.items()]
    for name in names:
        measure = ir_measures.parse_measure(name)
        diversity[name] = {m.query_id: m.value for m in ir_measures.iter_calc([measure], flat_qrels, flat_run)}
    return {"version": version("ir_measures"), "graded": values, "diverse": diversity}


def with_cwl(qrels, run):
    """The five numbers and their residuals, on lists of 1,000 documents."""
    from cwl.ruler.cwl_ruler import (APCWLMetric, BPMCWLMetric, BPMDCWLMetric, IFTGoalCWLMetric, IFTGoalRateCWLMetric, IFTRateCWLMetric,
                                     INSQCWLMetric, INSTCWLMetric, NDCGCWLMetric, NERReq8CWLMetric, NERReq9CWLMetric, NERReq10CWLMetric,
                                     NERReq11CWLMetric, PrecisionCWLMetric, RBPCWLMetric, RRCWLMetric, UMeasureCWLMetric)
    from cwl.ruler.ranking import Ranking

    scaled = {
        "RBP(p=0.8,gain='linear',max_rel=3{})": lambda: RBPCWLMetric(0.8),
        "INST(max_rel=3{})": lambda: INSTCWLMetric(1.0),
        "INST(T=2.5,max_rel=3{})": lambda: INSTCWLMetric(2.5),
        "INSQ(T=2,max_rel=3{})": lambda: INSQCWLMetric(2.0),
        "SDCG(max_rel=3{})@10": lambda: NDCGCWLMetric(10),
        "BPM(T=2,max_rel=3{})@5": lambda: BPMCWLMetric(2.0, 5),
        "BPM(T=1,hb=0.5,max_rel=3{})@10": lambda: BPMDCWLMetric(1.0, 10, 0.5, 0.0, 0.5),
        "NERR8(max_rel=3{})@10": lambda: NERReq8CWLMetric(10),
        "NERR9(max_rel=3{})@10": lambda: NERReq9CWLMetric(10),
        "NERR10(p=0.7,max_rel=3{})": lambda: NERReq10CWLMetric(0.7),
        "NERR11(T=2,max_rel=3{})": lambda: NERReq11CWLMetric(2.0),
        "UMeasure(L=50,max_rel=3{})": lambda: UMeasureCWLMetric(50),
        "IFT(model='goal',T=1,R1=2,max_rel=3{})": lambda: IFTGoalCWLMetric(1.0, 0.9, 2.0),
        "IFT(model='rate',R2=3,max_rel=3{})": lambda: IFTRateCWLMetric(0.2, 0.9, 3.0),
        "IFT(max_rel=3{})": lambda: IFTGoalRateCWLMetric(2.0, 0.9, 10.0, 0.2, 0.9, 10.0),
    }
    # gains of 0 and 1; average precision comes out without the relevant documents that were not retrieved
    binary = {
        "P({})@5": lambda: PrecisionCWLMetric(5),
        "RR({})": lambda: RRCWLMetric(),
        "AP({})": lambda: APCWLMetric(),
    }
    numbers = ["EU", "ETU", "EC", "ETC", "ED"]
    values = {}

    def ranking(topic, gain_of):
        docs = sorted(run[topic], key=lambda doc: -run[topic][doc])
        gains = [gain_of(qrels[topic][doc]) if doc in qrels[topic] else math.nan for doc in docs]
        return Ranking(topic, gains, [math.nan] * len(docs), max_n=1000)

    for pattern, make in {**scaled, **binary}.items():
        gain_of = (lambda grade: grade / 3) if pattern in scaled else (lambda grade: float(grade >= 1))
        for topic in run:
            metric = make()
            metric.residuals = pattern in scaled
            metric.measure(ranking(topic, gain_of))
            separator = "," if pattern in scaled else ""
            for number, value in zip(numbers, metric.get_scores()):
                values.setdefault(pattern.format(f"{separator}cwl='{number}'"), {})[topic] = float(value)
            if pattern in scaled and not pattern.startswith("IFT"):
                residual = float(metric.residual_expected_utility)
                values.setdefault(pattern.format(",residual=true,cwl='EU'"), {})[topic] = residual
    return {"version": version("cwl-eval"), "graded": values}


def with_ntcireval(qrels, run):
    from pyNTCIREVAL.metrics import (AP, ERR, MSnDCG, NCUguBR, NCUguP, NCUrbBR, NCUrbP, OMeasure, PMeasure, PPlusMeasure, QMeasure, RBP, RR, Hit,
                                     Precision, nDCG, nERR)

    grades, exponential, stops = [1, 2, 3], [1, 3, 7], [1, 1, 2]
    makers = {
        "P@5": lambda x: Precision(5),
        "Success@5": lambda x: Hit(5),
        "RR": lambda x: RR(),
        "AP": lambda x: AP(x, grades),
        "AP(denominator='min')@5": lambda x: AP(x, grades, 5),
        "OMeasure": lambda x: OMeasure(x, grades, 1),
        "O-measure(beta=10)": lambda x: OMeasure(x, grades, 10),
        "PMeasure": lambda x: PMeasure(x, grades, 1),
        "P-measure(gain='exp')": lambda x: PMeasure(x, exponential, 1),
        "PPlus": lambda x: PPlusMeasure(x, grades, 1),
        "P-plus(gains={1:1,2:3,3:7})": lambda x: PPlusMeasure(x, exponential, 1),
        "Q": lambda x: QMeasure(x, grades, 1),
        "Q-measure(beta=10,gain='exp')": lambda x: QMeasure(x, exponential, 10),
        "Q@5": lambda x: QMeasure(x, grades, 1, 5),
        "NCU(stop='graded',stops=[1,1,2],beta=0)": lambda x: NCUguP(x, grades, stops),
        "NCU(stop='graded',stops=[1,1,2])": lambda x: NCUguBR(x, grades, stops, 1),
        "NCUguP": lambda x: NCUguP(x, grades, grades),
        "NCUguBR": lambda x: NCUguBR(x, grades, grades, 1),
        "NCU(stop='rank-biased',gamma=0.9,beta=0)": lambda x: NCUrbP(x, grades, 0.9),
        "NCU(stop='rank-biased',gamma=0.9)": lambda x: NCUrbBR(x, grades, 0.9, 1),
        "NCUrbP": lambda x: NCUrbP(x, grades, 0.8),
        "NCUrbBR": lambda x: NCUrbBR(x, grades, 0.8, 1),
        "RBP(p=0.85,gain='linear',max_rel=3)": lambda x: RBP(x, grades, 0.85),
        "RBP(p=0.85,gain='exp',max_rel=3)": lambda x: RBP(x, exponential, 0.85),
        "ERR(max_rel=3)": lambda x: ERR(x, exponential),
        "ERR(gain='linear',max_rel=3)": lambda x: ERR(x, grades),
        "nERR(max_rel=3)@5": lambda x: nERR(x, exponential, 5),
        "nERR(max_rel=3)@10": lambda x: nERR(x, exponential, 10),
        "MSnDCG@5": lambda x: MSnDCG(x, grades, 5),
        "nDCG(gain='exp',discount='ln')@10": lambda x: MSnDCG(x, exponential, 10),
        "nDCG(discount='jk')@10": lambda x: nDCG(x, grades, 2, 10),
        "nDCG(discount='jk',base=4)@10": lambda x: nDCG(x, grades, 4, 10),
        "nDCG(discount='jk',base=10)@20": lambda x: nDCG(x, grades, 10, 20),
    }
    values = {}
    for topic in run:
        xrelnum = [sum(1 for grade in qrels[topic].values() if grade == level) for level in range(4)]
        if sum(xrelnum[1:]) == 0:
            continue
        docs = sorted(run[topic], key=lambda doc: -run[topic][doc])
        labelled = [(doc, qrels[topic].get(doc)) for doc in docs]
        for name, make in makers.items():
            values.setdefault(name, {})[topic] = float(make(xrelnum).compute(labelled))
    return {"version": version("pyNTCIREVAL"), "graded": values}


def with_ranx(qrels, run):
    from ranx import Qrels, Run, evaluate

    names = """hits@5 hits hit_rate@5 precision@5 precision recall@10 recall f1@5 f1 r-precision mrr mrr@3 map map@10 map@10-l2 dcg@10 dcg_burges@10
        ndcg ndcg@10 ndcg_burges@10 mrr-l2 precision@5-l3""".split()
    both = {topic: qrels[topic] for topic in run}
    values = {}
    for name in names:
        result = Run(run)
        evaluate(Qrels(both), result, name)
        values[name] = {topic: float(value) for topic, value in result.scores[name].items()}
    return {"version": version("ranx"), "graded": values}


def with_sklearn(qrels, run):
    import numpy as np
    from sklearn.metrics import average_precision_score, dcg_score, ndcg_score, roc_auc_score

    values = {}
    for topic in run:
        docs = list(run[topic])
        truth = np.array([[qrels[topic][doc] for doc in docs]])
        scores = np.array([[run[topic][doc] for doc in docs]])
        relevant = (truth[0] > 0).astype(int)
        cases = {
            "nDCG(ideal='list',ties='expected')": ndcg_score(truth, scores),
            "nDCG(ideal='list',ties='expected')@3": ndcg_score(truth, scores, k=3),
            "DCG(ties='expected')@3": dcg_score(truth, scores, k=3),
            "DCG(ties='expected')": dcg_score(truth, scores),
        }
        if relevant.min() < relevant.max():
            cases["Accuracy(ties='expected')"] = roc_auc_score(relevant, scores[0])
        for name, value in cases.items():
            values.setdefault(name, {})[topic] = float(value)
    return {"version": version("scikit-learn"), "tied": values}


def with_pytrec_eval(qrels, run):
    """Every measure that it offers, but for those that are no number."""
    import pytrec_eval

    names = pytrec_eval.supported_measures - {"relstring", "runid"}
    values = {}
    for topic, scores in pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run).items():
        for name, value in scores.items():
            values.setdefault(name, {})[topic] = value
    return {"version": version("pytrec-eval-terrier"), "graded": values}


def made_up():
    rng = random.Random(20240601)
    collections = {}
    for name, make in {"graded": graded, "tied": tied, "diverse": diverse, "close": close}.items():
        qrels, run = make(rng)
        collections[name] = {"qrels": qrels, "run": run}
    write("data.json", collections)
    return collections


def main():
    if GIVEN is None:
        collections = made_up()
    else:
        with open(GIVEN) as file:
            collections = json.load(file)
    of = {name: (part["qrels"], part["run"]) for name, part in collections.items()}
    with contextlib.redirect_stderr(io.StringIO()):
        near = {tool: {"close": record(*of["close"])} if "close" in of else {} for tool, record in
                [("ir_measures", close_with_ir_measures), ("pytrec_eval", close_with_pytrec_eval), ("ranx", close_with_ranx)]}
        write("ir_measures.json", {**with_ir_measures(*of["graded"], *of.get("diverse", ([], {}))), **near["ir_measures"]})
        write("cwl_eval.json", with_cwl(*of["graded"]))
        write("pyNTCIREVAL.json", with_ntcireval(*of["graded"]))
        write("pytrec_eval.json", {**with_pytrec_eval(*of["graded"]), **near["pytrec_eval"]})
        write("ranx.json", {**with_ranx(*of["graded"]), **near["ranx"]})
        if "tied" in of:
            write("scikit-learn.json", with_sklearn(*of["tied"]))


main()
