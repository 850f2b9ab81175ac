// Entries for a bibliography: the papers whose claims are looked at, the methods, and the page itself.
const papers = {
  busafekete2012apple: {
    type: 'inproceedings',
    author: "Busa-Fekete, R{\\'o}bert and Szarvas, Gy{\\\"o}rgy and {\\'E}ltet{\\H{o}}, Tam{\\'a}s and K{\\'e}gl, Bal{\\'a}zs",
    title: 'An Apple-to-Apple Comparison of Learning-to-Rank Algorithms in Terms of Normalized Discounted Cumulative Gain',
    booktitle: 'ECAI 2012 Workshop on Preference Learning: Problems and Applications in AI',
    year: '2012',
  },
  robertson2010gap: {
    type: 'inproceedings',
    author: 'Robertson, Stephen E. and Kanoulas, Evangelos and Yilmaz, Emine',
    title: 'Extending Average Precision to Graded Relevance Judgments',
    booktitle: 'Proceedings of SIGIR',
    year: '2010',
    doi: '10.1145/1835449.1835550',
  },
  aslam2005entropy: {
    type: 'inproceedings',
    author: 'Aslam, Javed A. and Yilmaz, Emine and Pavlu, Virgiliu',
    title: 'The Maximum Entropy Method for Analyzing Retrieval Measures',
    booktitle: 'Proceedings of SIGIR',
    year: '2005',
    doi: '10.1145/1076034.1076042',
  },
  sakai2006bootstrap: {
    type: 'inproceedings',
    author: 'Sakai, Tetsuya',
    title: 'Evaluating Evaluation Metrics Based on the Bootstrap',
    booktitle: 'Proceedings of SIGIR',
    year: '2006',
    doi: '10.1145/1148170.1148261',
  },
  nadeau2003inference: {
    type: 'article',
    author: 'Nadeau, Claude and Bengio, Yoshua',
    title: 'Inference for the Generalization Error',
    journal: 'Machine Learning',
    volume: '52',
    year: '2003',
    doi: '10.1023/A:1024068626366',
  },
};

/** The entries of a study, its own page first. */
export function bibliography({ name, title, papers: keys }) {
  const own = { type: 'misc', title, howpublished: `Gradus, docs/reproductions/${name}.md`, year: '2026' };
  return [[`gradus-${name}`, own], ...keys.map((key) => [key, papers[key]])].map(([key, entry]) => entryText(key, entry)).join('\n');
}

function entryText(key, { type, ...fields }) {
  const lines = Object.entries(fields).map(([field, value]) => `  ${field} = {${value}}`);
  return `@${type}{${key},\n${lines.join(',\n')}\n}`;
}
