/** A publication, with the fields of BibTeX. */
export interface BibliographyEntry {
  readonly key: string;
  readonly type: 'article' | 'inproceedings' | 'book' | 'phdthesis';
  /** Family name first, as BibTeX has them. */
  readonly author: string;
  readonly title: string;
  /** The journal, the proceedings, the publisher or the school. */
  readonly venue: string;
  readonly year: number;
  readonly volume?: string;
  readonly number?: string;
  readonly pages?: string;
  readonly edition?: string;
  readonly doi?: string;
}

type More = Pick<BibliographyEntry, 'volume' | 'number' | 'pages' | 'edition' | 'doi'>;

const paper =
  (type: BibliographyEntry['type']) =>
  (key: string, author: string, title: string, venue: string, year: number, more: More = {}): BibliographyEntry => ({
    key,
    type,
    author,
    title,
    venue,
    year,
    ...more,
  });
const article = paper('article');
const inproceedings = paper('inproceedings');
const book = paper('book');
const phdthesis = paper('phdthesis');

/** The proceedings of a year's SIGIR conference. */
const sigir = (year: number): string =>
  `Proceedings of the ${year} International ACM SIGIR Conference on Research and Development in Information Retrieval`;
const cikm = (year: number): string => `Proceedings of the ${year} ACM International Conference on Information and Knowledge Management`;
const wsdm = (year: number): string => `Proceedings of the ${year} ACM International Conference on Web Search and Data Mining`;
const TOIS = 'ACM Transactions on Information Systems';
const JASA = 'Journal of the American Statistical Association';

/** What measures are cited by. */
export const measureEntries: readonly BibliographyEntry[] = [
  inproceedings(
    'buckley2000evaluating',
    'Buckley, Chris and Voorhees, Ellen M.',
    'Evaluating Evaluation Measure Stability',
    sigir(2000),
    2000,
    { pages: '33--40', doi: '10.1145/345508.345543' },
  ),
  inproceedings(
    'mcsherry2008computing',
    'McSherry, Frank and Najork, Marc',
    'Computing Information Retrieval Performance Measures Efficiently in the Presence of Tied Scores',
    'Advances in Information Retrieval (ECIR 2008)',
    2008,
    { pages: '414--421', doi: '10.1007/978-3-540-78646-7_38' },
  ),
  inproceedings('robertson2006gmap', 'Robertson, Stephen', 'On {GMAP}: and Other Transformations', cikm(2006), 2006, {
    pages: '78--83',
    doi: '10.1145/1183614.1183630',
  }),
  book('vanrijsbergen1979information', 'van Rijsbergen, C. J.', 'Information Retrieval', 'Butterworths', 1979, { edition: '2nd' }),
  article(
    'kantor2000confusion',
    'Kantor, Paul B. and Voorhees, Ellen M.',
    'The {TREC-5} Confusion Track: Comparing Retrieval Methods for Scanned Text',
    'Information Retrieval',
    2000,
    { volume: '2', pages: '165--176', doi: '10.1023/A:1009902609570' },
  ),
  article(
    'cooper1968expected',
    'Cooper, William S.',
    'Expected Search Length: A Single Measure of Retrieval Effectiveness Based on the Weak Ordering Action of Retrieval Systems',
    'American Documentation',
    1968,
    { volume: '19', number: '1', pages: '30--41', doi: '10.1002/asi.5090190108' },
  ),
  article(
    'jarvelin2002cumulated',
    'J{\\"a}rvelin, Kalervo and Kek{\\"a}l{\\"a}inen, Jaana',
    'Cumulated Gain-Based Evaluation of {IR} Techniques',
    TOIS,
    2002,
    { volume: '20', number: '4', pages: '422--446', doi: '10.1145/582415.582418' },
  ),
  inproceedings(
    'burges2005learning',
    'Burges, Chris and Shaked, Tal and Renshaw, Erin and Lazier, Ari and Deeds, Matt and Hamilton, Nicole and Hullender, Greg',
    'Learning to Rank Using Gradient Descent',
    'Proceedings of the 22nd International Conference on Machine Learning',
    2005,
    { pages: '89--96', doi: '10.1145/1102351.1102363' },
  ),
  inproceedings(
    'robertson2010extending',
    'Robertson, Stephen E. and Kanoulas, Evangelos and Yilmaz, Emine',
    'Extending Average Precision to Graded Relevance Judgments',
    sigir(2010),
    2010,
    { pages: '603--610', doi: '10.1145/1835449.1835550' },
  ),
  article(
    'moffat2008rank',
    'Moffat, Alistair and Zobel, Justin',
    'Rank-Biased Precision for Measurement of Retrieval Effectiveness',
    TOIS,
    2008,
    { volume: '27', number: '1', pages: '2:1--2:27', doi: '10.1145/1416950.1416952' },
  ),
  inproceedings(
    'chapelle2009expected',
    'Chapelle, Olivier and Metzler, Donald and Zhang, Ya and Grinspan, Pierre',
    'Expected Reciprocal Rank for Graded Relevance',
    cikm(2009),
    2009,
    { pages: '621--630', doi: '10.1145/1645953.1646033' },
  ),
  inproceedings(
    'sakai2011evaluating',
    'Sakai, Tetsuya and Song, Ruihua',
    'Evaluating Diversified Search Results Using Per-Intent Graded Relevance',
    sigir(2011),
    2011,
    { pages: '1043--1052', doi: '10.1145/2009916.2010055' },
  ),
  inproceedings(
    'moffat2015inst',
    'Moffat, Alistair and Bailey, Peter and Scholer, Falk and Thomas, Paul',
    '{INST}: An Adaptive Metric for Information Retrieval Evaluation',
    'Proceedings of the 20th Australasian Document Computing Symposium',
    2015,
    { doi: '10.1145/2838931.2838938' },
  ),
  inproceedings(
    'azzopardi2019cwl',
    'Azzopardi, Leif and Thomas, Paul and Moffat, Alistair',
    'cwl\\_eval: An Evaluation Tool for Information Retrieval',
    sigir(2019),
    2019,
    { pages: '1321--1324', doi: '10.1145/3331184.3331398' },
  ),
  inproceedings(
    'moffat2012models',
    'Moffat, Alistair and Scholer, Falk and Thomas, Paul',
    'Models and Metrics: {IR} Evaluation as a User Process',
    'Proceedings of the 17th Australasian Document Computing Symposium',
    2012,
    { pages: '47--54', doi: '10.1145/2407085.2407092' },
  ),
  inproceedings(
    'zhang2017bejeweled',
    'Zhang, Fan and Liu, Yiqun and Li, Xin and Zhang, Min and Xu, Yinghui and Ma, Shaoping',
    'Evaluating Web Search with a Bejeweled Player Model',
    sigir(2017),
    2017,
    { pages: '425--434', doi: '10.1145/3077136.3080841' },
  ),
  inproceedings(
    'azzopardi2021err',
    'Azzopardi, Leif and Mackenzie, Joel and Moffat, Alistair',
    '{ERR} Is Not {C/W/L}: Exploring the Relationship Between Expected Reciprocal Rank and Other Metrics',
    'Proceedings of the 2021 ACM SIGIR International Conference on Theory of Information Retrieval',
    2021,
    { pages: '231--237', doi: '10.1145/3471158.3472239' },
  ),
  inproceedings(
    'sakai2013summaries',
    'Sakai, Tetsuya and Dou, Zhicheng',
    'Summaries, Ranked Retrieval and Sessions: A Unified Framework for Information Access Evaluation',
    sigir(2013),
    2013,
    { pages: '473--482', doi: '10.1145/2484028.2484031' },
  ),
  inproceedings(
    'azzopardi2018measuring',
    'Azzopardi, Leif and Thomas, Paul and Craswell, Nick',
    'Measuring the Utility of Search Engine Result Pages: An Information Foraging Based Measure',
    sigir(2018),
    2018,
    { pages: '605--614', doi: '10.1145/3209978.3210027' },
  ),
  inproceedings(
    'smucker2012time',
    'Smucker, Mark D. and Clarke, Charles L. A.',
    'Time-Based Calibration of Effectiveness Measures',
    sigir(2012),
    2012,
    { pages: '95--104', doi: '10.1145/2348283.2348300' },
  ),
  article(
    'sakai2007reliability',
    'Sakai, Tetsuya',
    'On the Reliability of Information Retrieval Metrics Based on Graded Relevance',
    'Information Processing \\& Management',
    2007,
    { volume: '43', number: '2', pages: '531--548', doi: '10.1016/j.ipm.2006.07.020' },
  ),
  article(
    'sakai2007properties',
    'Sakai, Tetsuya',
    'On the Properties of Evaluation Metrics for Finding One Highly Relevant Document',
    'IPSJ Transactions on Databases',
    2007,
    { volume: '48' },
  ),
  inproceedings(
    'sakai2008modelling',
    'Sakai, Tetsuya and Robertson, Stephen',
    'Modelling a User Population for Designing Information Retrieval Metrics',
    'Proceedings of the 2nd International Workshop on Evaluating Information Access (EVIA 2008)',
    2008,
  ),
  inproceedings(
    'buckley2004retrieval',
    'Buckley, Chris and Voorhees, Ellen M.',
    'Retrieval Evaluation with Incomplete Information',
    sigir(2004),
    2004,
    { pages: '25--32', doi: '10.1145/1008992.1009000' },
  ),
  inproceedings(
    'yilmaz2006estimating',
    'Yilmaz, Emine and Aslam, Javed A.',
    'Estimating Average Precision with Incomplete and Imperfect Judgments',
    cikm(2006),
    2006,
    { pages: '102--111', doi: '10.1145/1183614.1183633' },
  ),
  inproceedings(
    'clarke2008novelty',
    'Clarke, Charles L. A. and Kolla, Maheedhar and Cormack, Gordon V. and Vechtomova, Olga and Ashkan, Azin and B{\\"u}ttcher, Stefan and MacKinnon, Ian',
    'Novelty and Diversity in Information Retrieval Evaluation',
    sigir(2008),
    2008,
    { pages: '659--666', doi: '10.1145/1390334.1390446' },
  ),
  inproceedings(
    'clarke2011comparative',
    'Clarke, Charles L. A. and Craswell, Nick and Soboroff, Ian and Ashkan, Azin',
    'A Comparative Analysis of Cascade Measures for Novelty and Diversity',
    wsdm(2011),
    2011,
    { pages: '75--84', doi: '10.1145/1935826.1935847' },
  ),
  inproceedings(
    'clarke2009effectiveness',
    'Clarke, Charles L. A. and Kolla, Maheedhar and Vechtomova, Olga',
    'An Effectiveness Measure for Ambiguous and Underspecified Queries',
    'Advances in Information Retrieval Theory (ICTIR 2009)',
    2009,
    { pages: '188--199', doi: '10.1007/978-3-642-04417-5_17' },
  ),
  inproceedings(
    'agrawal2009diversifying',
    'Agrawal, Rakesh and Gollapudi, Sreenivas and Halverson, Alan and Ieong, Samuel',
    'Diversifying Search Results',
    wsdm(2009),
    2009,
    { pages: '5--14', doi: '10.1145/1498759.1498766' },
  ),
  inproceedings(
    'zhai2003beyond',
    'Zhai, ChengXiang and Cohen, William W. and Lafferty, John',
    'Beyond Independent Relevance: Methods and Evaluation Metrics for Subtopic Retrieval',
    sigir(2003),
    2003,
    { pages: '10--17', doi: '10.1145/860435.860440' },
  ),
  book('korfhage1997information', 'Korfhage, Robert R.', 'Information Storage and Retrieval', 'Wiley', 1997),
  article(
    'clarke2021assessing',
    'Clarke, Charles L. A. and Vtyurina, Alexandra and Smucker, Mark D.',
    'Assessing Top-$k$ Preferences',
    TOIS,
    2021,
    { volume: '39', number: '3', doi: '10.1145/3451161' },
  ),
  article(
    'webber2010similarity',
    'Webber, William and Moffat, Alistair and Zobel, Justin',
    'A Similarity Measure for Indefinite Rankings',
    TOIS,
    2010,
    { volume: '28', number: '4', pages: '20:1--20:38', doi: '10.1145/1852102.1852106' },
  ),
  inproceedings(
    'carterette2008here',
    'Carterette, Ben and Bennett, Paul N. and Chickering, David Maxwell and Dumais, Susan T.',
    'Here or There: Preference Judgments for Relevance',
    'Advances in Information Retrieval (ECIR 2008)',
    2008,
    { pages: '16--27', doi: '10.1007/978-3-540-78646-7_5' },
  ),
];

/** For measures as old as the field, such as precision and recall. */
export const textbook: BibliographyEntry = book(
  'manning2008introduction',
  'Manning, Christopher D. and Raghavan, Prabhakar and Sch{\\"u}tze, Hinrich',
  'Introduction to Information Retrieval',
  'Cambridge University Press',
  2008,
  { doi: '10.1017/CBO9780511809071' },
);

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
      'Journal of the Royal Statistical Society: Series B',
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
    book('cohen1988statistical', 'Cohen, Jacob', 'Statistical Power Analysis for the Behavioral Sciences', 'Lawrence Erlbaum', 1988, {
      edition: '2nd',
      doi: '10.4324/9780203771587',
    }),
  ],
};
