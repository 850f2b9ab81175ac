/** The few rules by which other tools compute scores from the models that Gradus writes for them, written down from their documentation
 *  without anything of Gradus, so that exports can be checked without the tools. Rows are lists of numbers; null is missing. */
const f = Math.fround;

/** Solr: 32-bit floats, a millionth added to every threshold, NaN goes right unless the split says otherwise. */
function solr({ class: kind, features, params }, rows) {
  const columns = new Map(features.map(({ name }, column) => [name, column]));
  const normed = rows.map((row) => row.map((value, column) => norm(features[column].norm, f(value ?? Number.NaN))));
  if (kind.endsWith('LinearModel')) {
    return normed.map((row) => features.reduce((sum, { name }, column) => f(sum + f(row[column] * f(params.weights[name]))), 0));
  }
  if (kind.endsWith('NeuralNetworkModel')) {
    return normed.map(
      (row) =>
        params.layers.reduce(
          (input, layer) =>
            layer.matrix.map((weights, unit) =>
              activate(
                layer.activation,
                weights.reduce((sum, weight, i) => sum + weight * input[i], layer.bias[unit]),
              ),
            ),
          row,
        )[0],
    );
  }
  const walk = (node, row) => {
    if (node.value !== undefined) return f(Number(node.value));
    const value = row[columns.get(node.feature)];
    if (Number.isNaN(value) && node.missing !== undefined) return walk(node[node.missing], row);
    return walk(value <= f(f(Number(node.threshold)) + f(1e-6)) ? node.left : node.right, row);
  };
  return normed.map((row) => params.trees.reduce((sum, { weight, root }) => f(sum + f(f(Number(weight)) * walk(root, row))), 0));
}

function norm(setting, value) {
  if (setting === undefined) return value;
  const { min, max, avg, std } = Object.fromEntries(Object.entries(setting.params).map(([name, number]) => [name, f(Number(number))]));
  return min === undefined ? f(f(value - avg) / std) : f(f(value - min) / f(max - min));
}

function activate(kind, x) {
  if (kind === 'relu') return Math.max(0, x);
  if (kind === 'leakyrelu') return x < 0 ? 0.01 * x : x;
  if (kind === 'tanh') return Math.tanh(x);
  return kind === 'sigmoid' ? 1 / (1 + Math.exp(-x)) : x;
}

const columnOf = (name) => Number(name.slice(1));

/** The learning-to-rank plugins: 32-bit floats, below the condition is yes, missing goes where the split says. */
function plugin(trees, rows) {
  const walk = (node, row) => {
    if (node.leaf !== undefined) return f(node.leaf);
    const value = row[columnOf(node.split)];
    const next = value === null ? node.missing : f(value) < f(node.split_condition) ? node.yes : node.no;
    return walk(
      node.children.find(({ nodeid }) => nodeid === next),
      row,
    );
  };
  return rows.map((row) => trees.reduce((sum, tree) => f(sum + walk(tree, row)), 0));
}

/** Vespa on a dump of XGBoost: doubles, the condition rounded to a float. */
function vespaXgBoost(trees, rows) {
  const walk = (node, row) => {
    if (node.leaf !== undefined) return node.leaf;
    const value = row[columnOf(node.split)] ?? Number.NaN;
    const limit = f(node.split_condition);
    const yes = node.missing === node.yes ? !(value >= limit) : value < limit;
    return walk(
      node.children.find(({ nodeid }) => nodeid === (yes ? node.yes : node.no)),
      row,
    );
  };
  return rows.map((row) => trees.reduce((sum, tree) => sum + walk(tree, row), 0));
}

/** Vespa on a dump of LightGBM: below the threshold is left; categories are compared as numbers where they are listed as such. */
function vespaLightGbm({ tree_info: trees }, rows) {
  const walk = (node, row) => {
    if (node.split_feature === undefined) return node.leaf_value;
    const value = row[node.split_feature] ?? Number.NaN;
    const left =
      node.decision_type === '=='
        ? node.threshold.split('||').map(Number).includes(value)
        : node.default_left
          ? !(value >= node.threshold)
          : value < node.threshold;
    return walk(left ? node.left_child : node.right_child, row);
  };
  return rows.map((row) => trees.reduce((sum, { tree_structure: root }) => sum + walk(root, row), 0));
}

/** Elasticsearch's trained models: doubles. */
function elasticsearch({ definition }, rows) {
  const { trained_models: models } = definition.trained_model.ensemble;
  const walk = (nodes, index, row) => {
    const node = nodes.find(({ node_index: own }) => own === index);
    if (node.left_child === undefined) return node.leaf_value;
    const value = row[node.split_feature];
    const left = value === null ? node.default_left : node.decision_type === 'lte' ? value <= node.threshold : value < node.threshold;
    return walk(nodes, left ? node.left_child : node.right_child, row);
  };
  return rows.map((row) => models.reduce((sum, { tree }) => sum + walk(tree.tree_structure, 0, row), 0));
}

/** What each tool makes of a model that was written for it. */
export const readers = { solr, plugin, vespaXgBoost, vespaLightGbm, elasticsearch };
