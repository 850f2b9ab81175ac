"""Rankers with the manners of scikit-learn, and models from and to LightGBM and XGBoost."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _inputs
from ._answers import Answer
from ._api import _in_folder, _json, convert_model, describe_model
from ._call import Request
from ._shown import Contributions, Importance
from .errors import InputError

if TYPE_CHECKING:
    from array import array


class Ranker:
    """A ranker that is trained on rows of features.

    `learner` is one of `gradus train`: lambdamart, coordinate-ascent, linear-regression … Its options, the objective and everything else
    that the command takes are given by name. Learning is the same as on the command line, to the last bit.

    >>> import gradus
    >>> x = [[0.0, 1.0], [1.0, 0.0], [0.2, 0.8], [0.9, 0.1]]
    >>> ranker = gradus.Ranker("linear-regression").fit(x, [0, 1, 0, 1], group=[2, 2])
    >>> scores = ranker.predict(x)
    >>> bool(scores[1] > scores[0])
    True
    """

    def __init__(self, learner: str = "lambdamart", **settings: Any) -> None:
        self.learner = learner
        self.settings = settings
        self.model_: bytes | None = None
        self.training_: dict[str, Any] | None = None
        self.notes_: list[str] = []

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings, for tools of scikit-learn that clone and search."""
        return {"learner": self.learner, **self.settings}

    def set_params(self, **params: Any) -> Ranker:
        """Changes settings."""
        self.learner = params.pop("learner", self.learner)
        self.settings.update(params)
        return self

    def fit(
        self,
        X: Any,
        y: Any,
        group: Any = None,
        *,
        qid: Any = None,
        sample_weight: Any = None,
        eval_set: tuple[Any, Any] | None = None,
        eval_group: Any = None,
        eval_qid: Any = None,
    ) -> Ranker:
        """Learns from documents.

        `group` says how many rows each query has, one after another, as in LightGBM and XGBoost; `qid` names the query of each row
        instead. `eval_set` and `eval_group` are documents to choose the best model by.
        """
        request = Request()
        train = request.add(_inputs.features(X, request.arrays, y, group, qid, "the training documents"))
        settings: dict[str, Any] = {**self.settings, "train": [{"input": train}], "json": True}
        if eval_set is not None:
            valid = _inputs.features(eval_set[0], request.arrays, eval_set[1], eval_group, eval_qid, "the validation documents")
            settings["validate"] = [{"input": request.add(valid)}]
        if sample_weight is not None:
            text = "\n".join(repr(float(weight)) for weight in sample_weight) + "\n"
            weights = {"kind": "bytes", "name": "the weights", "bytes": request.arrays.bytes(text.encode())}
            settings["docWeights"] = {"input": request.add(weights)}
        folder, path = _in_folder("model.json")
        with folder:
            settings["model"] = str(path)
            text, self.notes_, _ = _json(request.ask(f"train {self.learner}", settings))
            self.model_ = path.read_bytes()
        training: dict[str, Any] = json.loads(text)
        # where the file was that is gone again
        training.pop("model", None)
        self.training_ = training
        return self

    def predict(self, X: Any) -> Any:
        """A score for each row: an array of NumPy where NumPy is installed, otherwise an array of the standard library."""
        request = Request()
        request.argument(_model_input(self._trained(), request))
        request.argument(_inputs.features(X, request.arrays))
        result, arrays = request.ask("score", {"format": "letor"})
        return _numbers(arrays[result["predictions"]])

    def explain(self, X: Any, y: Any = None, group: Any = None, *, qid: Any = None, **settings: Any) -> Contributions:
        """What each feature added to the scores of one query's documents; settings are the options of `gradus model explain`."""
        request = Request()
        request.argument(_model_input(self._trained(), request))
        request.argument(_inputs.features(X, request.arrays, y, group, qid))
        return Contributions(*_json(request.ask("model explain", {**settings, "json": True})))

    def importance(self, X: Any = None, y: Any = None, group: Any = None, *, qid: Any = None, **settings: Any) -> Importance:
        """How much each feature matters: by the model alone, or on documents; settings are the options of `gradus model importance`."""
        request = Request()
        request.argument(_model_input(self._trained(), request))
        data = {} if X is None else {"data": {"input": request.add(_inputs.features(X, request.arrays, y, group, qid))}}
        return Importance(*_json(request.ask("model importance", {**settings, **data, "json": True})))

    def describe(self) -> Answer:
        """What the model is made of."""
        return describe_model(self._trained())

    def _trained(self) -> bytes:
        if self.model_ is None:
            raise InputError("the ranker has no model yet; fit it first, or load one")
        return self.model_

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model as `gradus train` does."""
        Path(path).write_bytes(self._trained())

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Ranker:
        """A ranker from a model file of Gradus, RankLib, LightGBM, XGBoost, CatBoost or another tool that Gradus reads."""
        return cls.from_bytes(Path(path).read_bytes())

    @classmethod
    def from_bytes(cls, model: bytes | str) -> Ranker:
        """A ranker from the content of a model file, which tells its form itself."""
        ranker = cls()
        ranker.model_ = convert_model(model, "gradus")
        ranker.learner = str(json.loads(ranker.model_).get("learner", ranker.learner))
        return ranker

    @classmethod
    def from_lightgbm(cls, booster: Any) -> Ranker:
        """A ranker from a `lightgbm.Booster`, or from a model of scikit-learn that holds one."""
        return cls.from_bytes(getattr(booster, "booster_", booster).model_to_string())

    @classmethod
    def from_xgboost(cls, booster: Any) -> Ranker:
        """A ranker from an `xgboost.Booster`, or from a model of scikit-learn that holds one."""
        found = booster.get_booster() if hasattr(booster, "get_booster") else booster
        return cls.from_bytes(bytes(found.save_raw("json")))

    def to_lightgbm(self) -> Any:
        """The model as a `lightgbm.Booster`."""
        import lightgbm

        return lightgbm.Booster(model_str=convert_model(self._trained(), "lightgbm").decode("utf-8"))

    def to_xgboost(self) -> Any:
        """The model as an `xgboost.Booster`."""
        import xgboost

        booster = xgboost.Booster()
        booster.load_model(bytearray(convert_model(self._trained(), "xgboost")))
        return booster

    def to(self, form: str, **settings: Any) -> bytes:
        """The model in the form of another tool: `ranklib`, `onnx`, `elasticsearch`, `c` …"""
        return convert_model(self._trained(), form, **settings)

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value!r}" for name, value in self.settings.items())
        return f"Ranker({self.learner!r}{settings})"


def _model_input(model: bytes, request: Request) -> dict[str, Any]:
    return {"kind": "bytes", "name": "the model", "bytes": request.arrays.bytes(model)}


def _numbers(values: memoryview) -> Any:
    try:
        import numpy
    except ImportError:
        from array import array

        return array("d", values.tolist())
    return numpy.array(values)
