import { article, type BibliographyEntry, book, cikm, inproceedings, JASA, phdthesis, sigir, TOIS } from './entry.js';

/** What tests, corrections, intervals and effect sizes are cited by, under the names that `compareSystems` has for them. */
export const statisticsEntries: Readonly<Record<string, readonly BibliographyEntry[]>> = {
  t: [
    article('student1908probable', '{Student}', 'The Probable Error of a Mean', 'Biometrika', 1908, {
      volume: '6',
      number: '1',
      pages: '1--25',
      doi: '10.1093/biomet/6.1.1',
    }),
    inproceedings(
      'urbano2019statistical',
      "Urbano, Juli{\\'a}n and Lima, Harlley and Hanjalic, Alan",
      'Statistical Significance Testing in Information Retrieval: An Empirical Analysis of Type {I}, Type {II} and Type {III} Errors',
      sigir(2019),
      2019,
      { pages: '505--514', doi: '10.1145/3331184.3331259' },
    ),
  ],
  wilcoxon: [
    article('wilcoxon1945individual', 'Wilcoxon, Frank', 'Individual Comparisons by Ranking Methods', 'Biometrics Bulletin', 1945, {
      volume: '1',
      number: '6',
      pages: '80--83',
      doi: '10.2307/3001968',
    }),
  ],
  sign: [
    article('dixon1946statistical', 'Dixon, W. J. and Mood, A. M.', 'The Statistical Sign Test', JASA, 1946, {
      volume: '41',
      number: '236',
      pages: '557--566',
      doi: '10.1080/01621459.1946.10501898',
    }),
  ],
  randomization: [
    book('fisher1935design', 'Fisher, Ronald A.', 'The Design of Experiments', 'Oliver and Boyd', 1935),
    inproceedings(
      'smucker2007comparison',
      'Smucker, Mark D. and Allan, James and Carterette, Ben',
      'A Comparison of Statistical Significance Tests for Information Retrieval Evaluation',
      cikm(2007),
      2007,
      { pages: '623--632', doi: '10.1145/1321440.1321528' },
    ),
  ],
  bootstrap: [
    inproceedings('sakai2006evaluating', 'Sakai, Tetsuya', 'Evaluating Evaluation Metrics Based on the Bootstrap', sigir(2006), 2006, {
      pages: '525--532',
      doi: '10.1145/1148170.1148261',
    }),
  ],
  tukey: [
    article('tukey1949comparing', 'Tukey, John W.', 'Comparing Individual Means in the Analysis of Variance', 'Biometrics', 1949, {
      volume: '5',
      number: '2',
      pages: '99--114',
      doi: '10.2307/3001913',
    }),
  ],
  'randomized-tukey': [
    article(
      'carterette2012multiple',
      'Carterette, Benjamin A.',
      'Multiple Testing in Statistical Analysis of Systems-Based Information Retrieval Experiments',
      TOIS,
      2012,
      { volume: '30', number: '1', pages: '4:1--4:34', doi: '10.1145/2094072.2094076' },
    ),
  ],
  friedman: [
    article(
      'friedman1937use',
      'Friedman, Milton',
      'The Use of Ranks to Avoid the Assumption of Normality Implicit in the Analysis of Variance',
      JASA,
      1937,
      { volume: '32', number: '200', pages: '675--701', doi: '10.1080/01621459.1937.10503522' },
    ),
    phdthesis(
      'nemenyi1963distribution',
      'Nemenyi, Peter Bj{\\"o}rn',
      'Distribution-Free Multiple Comparisons',
      'Princeton University',
      1963,
    ),
  ],
  bonferroni: [
    article('dunn1961multiple', 'Dunn, Olive Jean', 'Multiple Comparisons Among Means', JASA, 1961, {
      volume: '56',
      number: '293',
      pages: '52--64',
      doi: '10.1080/01621459.1961.10482090',
    }),
  ],
  sidak: [
    article(
      'sidak1967rectangular',
      "{\\v{S}}id{\\'a}k, Zbyn{\\v{e}}k",
      'Rectangular Confidence Regions for the Means of Multivariate Normal Distributions',
      JASA,
      1967,
      { volume: '62', number: '318', pages: '626--633', doi: '10.1080/01621459.1967.10482935' },
    ),
  ],
  holm: [
    article(
      'holm1979simple',
      'Holm, Sture',
      'A Simple Sequentially Rejective Multiple Test Procedure',
      'Scandinavian Journal of Statistics',
      1979,
      { volume: '6', number: '2', pages: '65--70' },
    ),
  ],
  hochberg: [
    article(
      'hochberg1988sharper',
      'Hochberg, Yosef',
      'A Sharper {Bonferroni} Procedure for Multiple Tests of Significance',
      'Biometrika',
      1988,
      { volume: '75', number: '4', pages: '800--802', doi: '10.1093/biomet/75.4.800' },
    ),
  ],
  bh: [
    article(
      'benjamini1995controlling',
      'Benjamini, Yoav and Hochberg, Yosef',
      'Controlling the False Discovery Rate: A Practical and Powerful Approach to Multiple Testing',
      'Journal of the Royal Statistical Society: Series B (Methodological)',
      1995,
      { volume: '57', number: '1', pages: '289--300', doi: '10.1111/j.2517-6161.1995.tb02031.x' },
    ),
  ],
  by: [
    article(
      'benjamini2001control',
      'Benjamini, Yoav and Yekutieli, Daniel',
      'The Control of the False Discovery Rate in Multiple Testing Under Dependency',
      'The Annals of Statistics',
      2001,
      { volume: '29', number: '4', pages: '1165--1188', doi: '10.1214/aos/1013699998' },
    ),
  ],
  interval: [
    article('efron1987better', 'Efron, Bradley', 'Better Bootstrap Confidence Intervals', JASA, 1987, {
      volume: '82',
      number: '397',
      pages: '171--185',
      doi: '10.1080/01621459.1987.10478410',
    }),
  ],
  'effect size': [
    book(
      'cohen1988statistical',
      'Cohen, Jacob',
      'Statistical Power Analysis for the Behavioral Sciences',
      'Lawrence Erlbaum Associates',
      1988,
      {
        edition: '2nd',
        doi: '10.4324/9780203771587',
      },
    ),
  ],
};
