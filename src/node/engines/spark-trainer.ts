/** The Python program that trains on Spark. It reads its request from the file that is named after it, and answers in lines of JSON behind a
 *  mark, because other lines of the output belong to Spark. Results do not depend on which rows arrive first: queries are numbered in the order
 *  of their ids, numbers decide the partition, and rows of a query are ordered by a hash of what they hold. */
export const sparkTrainer = `import json
import os
import sys
import time
import traceback

MARK = "gradus answers "


def answer(kind, **facts):
    print(MARK + json.dumps({"kind": kind, **facts}), flush=True)


# Spark does not repeat what tasks do together when one of them is lost; this often it is done again here, with the trees so far
ATTEMPTS = 4


def fitted(ranker, rows, done):
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return ranker.fit(rows)
        except Exception as error:
            if attempt == ATTEMPTS:
                raise
            answer("again", trees=done, error=str(error)[:500])
            # time to notice which machines are left
            time.sleep(5)


def main(request):
    import pyspark
    import xgboost
    from pyspark import StorageLevel
    from pyspark.sql import SparkSession, functions as F, types as T
    from xgboost.spark import SparkXGBRanker

    builder = SparkSession.builder.appName("gradus train").master(request["master"])
    for setting in request["conf"]:
        name, value = setting.split("=", 1)
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    workers = request["workers"] or max(1, spark.sparkContext.defaultParallelism)

    def column(name):
        return F.col("\`" + name.replace("\`", "\`\`") + "\`")

    table = spark.read.parquet(*request["paths"])
    topic, label, features = request["topic"], request["label"], request["features"]
    absent = [name for name in [topic, label, *features] if name not in table.columns]
    if absent:
        return answer("absent", columns=absent, found=table.columns)
    numbers = (T.NumericType, T.BooleanType)
    types = {field.name: field.dataType for field in table.schema.fields}
    words = [name for name in [label, *features] if not isinstance(types[name], numbers)]
    if words:
        return answer("words", columns=words)

    grade = column(label).cast("double")
    if request["relevantFrom"] is not None:
        grade = F.when(grade >= request["relevantFrom"], 1.0).when(grade < request["relevantFrom"], 0.0)
    is_unknown = column(topic).isNull() | grade.isNull() | F.isnan(grade)
    sums = table.agg(
        F.count(F.lit(1)).alias("rows"),
        F.count(F.when(is_unknown, 1)).alias("unknown"),
        F.min(grade).alias("lowest"),
        F.max(grade).alias("highest"),
        F.count(F.when(grade != F.floor(grade), 1)).alias("fractional"),
    ).first()
    facts = sums.asDict()
    queries = table.select(column(topic).alias("topic")).distinct().orderBy("topic")
    facts["queries"] = queries.count()
    facts["workers"] = min(workers, max(1, facts["queries"]))
    answer("facts", spark=spark.version, xgboost=xgboost.__version__, **facts)
    if facts["rows"] == 0 or facts["unknown"] > 0 or facts["lowest"] < 0 or facts["highest"] > request["highest"]:
        return
    if facts["fractional"] > 0 and request["isWhole"]:
        return
    workers = facts["workers"]

    # a number for each query, so that whole queries lie in partitions that are told by it, in an order that does not depend on arrival
    schema = T.StructType([T.StructField("topic", types[topic]), T.StructField("gradus_query", T.IntegerType())])
    numbered = spark.createDataFrame(queries.rdd.zipWithIndex().map(lambda pair: (pair[0][0], pair[1])), schema)
    place = F.expr(f"pmod(hash(CAST(id AS INT)), {workers})")
    keys = {row["place"]: row["id"] for row in spark.range(1000 * workers).select("id", place.alias("place")).collect()}
    key = F.element_at(F.array(*[F.lit(int(keys[p])) for p in range(workers)]), F.col("gradus_query") % workers + 1)
    names = [f"gradus_feature_{f}" for f in range(len(features))]
    rows = (
        table.join(numbered, column(topic) == numbered["topic"])
        .select(
            F.col("gradus_query"),
            grade.alias("gradus_label"),
            *[column(feature).cast("float").alias(name) for feature, name in zip(features, names)],
        )
        .withColumn("gradus_key", key.cast("int"))
        .repartition(workers, "gradus_key")
        .sortWithinPartitions("gradus_query", F.xxhash64("gradus_label", *names), "gradus_label")
        .drop("gradus_key")
        .persist(StorageLevel.MEMORY_AND_DISK)
    )

    booster = None
    identity = json.dumps([request["parameters"], request["paths"], features, workers, facts["rows"], facts["queries"]])
    if request["resumes"]:
        booster = xgboost.Booster()
        booster.load_model(request["checkpoint"])
        if booster.attr("gradus") != identity:
            return answer("other")
        answer("progress", trees=booster.num_boosted_rounds())
    done = 0 if booster is None else booster.num_boosted_rounds()
    while done < request["trees"]:
        count = min(request["every"], request["trees"] - done)
        ranker = SparkXGBRanker(
            features_col=names,
            label_col="gradus_label",
            qid_col="gradus_query",
            num_workers=workers,
            n_estimators=count,
            xgb_model=booster,
            **request["parameters"],
        )
        booster = fitted(ranker, rows, done).get_booster()
        done = booster.num_boosted_rounds()
        if request["checkpoint"]:
            # it appears when it is complete
            booster.set_attr(gradus=identity)
            unfinished = request["checkpoint"] + ".unfinished.json"
            booster.save_model(unfinished)
            os.replace(unfinished, request["checkpoint"])
        answer("progress", trees=done)
    if done > request["trees"]:
        booster = booster[: request["trees"]]
    booster.set_attr(gradus=None)
    booster.save_model(request["model"])
    answer("done", trees=done)


with open(sys.argv[1], encoding="utf-8") as file:
    asked = json.load(file)
try:
    main(asked)
except Exception as error:
    traceback.print_exc()
    answer("failed", error=f"{type(error).__name__}: {error}"[:2000])
    sys.exit(1)
`;
