/** Files of search engines and judgement tools, and tables, that the rows about them read. */
export const engineFiles: Readonly<Record<string, string>> = {
  // by rank AP is 1 and 1/2; by score 1/2 and 1
  'rising.csv': 'query_id,doc_id,place,score\n1,a,1,0.1\n1,b,2,0.5\n2,d,1,0.1\n2,c,2,0.5\n',
  'one-unknown.csv': 'query,thing,rating\n1,a,1\n1,b,0\n2,c,1\n2,d,0\n',
  'bare-grades.tsv': '1\ta\t1\n1\tb\t0\n2\tc\t1\n2\td\t0\n',
  '1.json': '{"took":1,"hits":{"total":{"value":2},"hits":[{"_index":"x","_id":"a","_score":2},{"_index":"x","_id":"b","_score":1}]}}',
  'sku.json': '{"responseHeader":{"status":0},"response":{"numFound":2,"start":0,"docs":[{"sku":"a","score":2},{"sku":"b","score":1}]}}',
  'two-indices.json': '{"took":1,"hits":{"hits":[{"_index":"x","_id":"a"},{"_index":"y","_id":"a"}]}}',
  'found.json': '{"found":2,"search_time_ms":1,"hits":[{"document":{"sku":"a"}},{"document":{"sku":"b"}}]}',
  'answers.jsonl':
    '{"query_id":"1","response":{"took":1,"hits":{"total":{"value":2},"hits":[{"_index":"x","_id":"a","_score":2},{"_index":"x","_id":"b","_score":1}]}}}\n{"response":{"took":1,"hits":{"total":{"value":1},"hits":[{"_index":"x","_id":"x","_score":1}]}}}\n{"query_id":"2","response":{"took":1,"hits":{"total":{"value":2},"hits":[{"_index":"x","_id":"d","_score":2},{"_index":"x","_id":"c","_score":1}]}}}\n',
  'twice-answered.jsonl':
    '{"query_id":"1","response":{"took":1,"hits":{"total":{"value":2},"hits":[{"_index":"x","_id":"a","_score":2},{"_index":"x","_id":"b","_score":1}]}}}\n{"query_id":"2","response":{"took":1,"hits":{"total":{"value":2},"hits":[{"_index":"x","_id":"d","_score":2},{"_index":"x","_id":"c","_score":1}]}}}\n{"query_id":"1","response":{"took":1,"hits":{"total":{"value":1},"hits":[{"_index":"x","_id":"b","_score":1}]}}}\n',
  'not-answers.jsonl':
    '{"query_id":"1","response":{"took":1,"hits":{"total":{"value":2},"hits":[{"_index":"x","_id":"a","_score":2},{"_index":"x","_id":"b","_score":1}]}}}\n{"query_id":"1b","response":{"what":1}}\n{"query_id":"2","response":{"took":1,"hits":{"total":{"value":2},"hits":[{"_index":"x","_id":"d","_score":2},{"_index":"x","_id":"c","_score":1}]}}}\n',
  'chunks.jsonl':
    '{"query":"1","retrieved_ids":["a","a","b"],"expected_ids":["a"]}\n{"query":"2","retrieved_ids":["d","c"],"expected_ids":["c"]}\n',
  'no-question.jsonl':
    '{"query":"1","retrieved_ids":["a","b"],"expected_ids":["a"]}\n{"retrieved_ids":["a"],"expected_ids":["a"]}\n{"query":"2","retrieved_ids":["d","c"],"expected_ids":["c"]}\n{"query":"2","retrieved_ids":["c"],"expected_ids":["c"]}\n',
  'experiment.json':
    '{"type":"PAIRWISE_COMPARISON","status":"COMPLETED","searchConfigurationList":["one","two"],"results":[{"queryText":"1","snapshots":[{"searchConfigurationId":"one","docIds":["a","b"]},{"searchConfigurationId":"two","docIds":["b","a"]}]},{"queryText":"2","snapshots":[{"searchConfigurationId":"one","docIds":["d","c"]},{"searchConfigurationId":"two","docIds":["d","c"]}]}]}',
  'two-runs.csv': 'run,query,doc_id,rank\none,1,a,1\none,1,b,2\none,2,d,1\none,2,c,2\ntwo,1,b,1\ntwo,1,a,2\ntwo,2,d,1\ntwo,2,c,2\n',
  'evaluations.json':
    '[{"id":"e1","searchConfigurationId":"one","searchText":"1","documentIds":["a","b"]},{"id":"e2","searchConfigurationId":"one","searchText":"2","documentIds":["d","c"]},{"id":"e3","searchConfigurationId":"one","searchText":"1","documentIds":["b"]}]',
  'subsets.json': '{"mteb_model_meta":{"model_name":"m"},"en":{"test":{"1":{"a":2,"b":1},"2":{"d":2,"c":1}}},"de":{"test":{"1":{"b":1}}}}',
  'splits.json': '{"mteb_model_meta":{"model_name":"m"},"en":{"test":{"1":{"a":2,"b":1},"2":{"d":2,"c":1}},"dev":{"1":{"b":1}}}}',
  'no-score.json': '{"mteb_model_meta":{"model_name":"m"},"en":{"test":{"1":{"a":2,"b":1,"x":null},"2":{"d":2,"c":1}}}}',
  'book.json':
    '{"name":"b","query_doc_pairs":[{"query_text":"1","doc_id":"a","judgements":[{"rating":3,"user_email":"x@y"},{"rating":1,"user_email":"z@y"},{"rating":3,"user_email":"w@y"}]},{"query_text":"1","doc_id":"b","judgements":[{"rating":0}]},{"query_text":"2","doc_id":"c","judgements":[{"rating":1}]}]}',
  'null.jsonl': '{"query_id":"1","docs":["a",null,"b"]}\n{"query_id":"2","docs":["d","c"]}\n',
  'ltr.txt': '1 qid:1 # a one\n0 qid:1 b\n1 qid:2 # c two\n0 qid:2 # d two\n',
  'kilt.jsonl':
    '{"id":"1","output":[{"provenance":[{"page":"a"},{"page":"b"}]}]}\n{"id":"2","output":[{"provenance":[{"page":"d"},{"page":"c"}]}]}\n',
  'kilt-answers.jsonl':
    '{"id":"1","output":[{"provenance":[{"wikipedia_id":"a"},{"wikipedia_id":"b"}]}]}\n{"id":"1b","output":[{"answer":"x"}]}\n{"output":[]}\n{"id":"2","output":[{"provenance":[{"wikipedia_id":"d"},{"wikipedia_id":"c"}]}]}\n',
  'missing-id.json': '{"root":{"relevance":1,"children":[{"fields":{"sku":"a"},"relevance":2},{"fields":{"sku":"b"},"relevance":1}]}}',
  'msearch.json':
    '{"responses":[{"took":1,"hits":{"total":{"value":2},"hits":[{"_index":"x","_id":"a","_score":2},{"_index":"x","_id":"b","_score":1}]},"status":200},{"error":{"type":"t","reason":"r"},"status":404}]}',
  'weaviate.json': '{"data":{"Get":{"Product":[{"sku":"a"},{"sku":"b"}]}}}',
  'two-in-a-line.jsonl':
    '{"query_id":"1","response":{"ids":[["a","b"]],"distances":[[0.1,0.2]]}}\n{"query_id":"x","response":{"ids":[["a"],["b"]],"distances":[[0.1],[0.2]]}}\n{"query_id":"2","response":{"ids":[["d","c"]],"distances":[[0.1,0.2]]}}\n',
};
