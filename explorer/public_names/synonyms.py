"""Names that other libraries use for what this one has: functions, classes, keyword arguments and words for kernels.

A user who types one of them gets a message with this library's name. `explain_wrong_calls` does so for calls of
functions, `Model` for calls of classes, and the package for its own names.
"""

from __future__ import annotations

import difflib
import functools
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any, TypeVar, cast

from explorer.checks import WrongType
from explorer.citations import record_source
from explorer.execution.processors import limit_threads
from explorer.printing import echo, join_list
from explorer.public_names.help_text import public
from explorer.rng import refuse_other_rng

PACKAGE = "explorer"
ALIKE = 0.75  # least similarity by difflib of a misspelt name and one of ours
Function = TypeVar("Function", bound=Callable[..., Any])

# Names of scikit-learn, hyppo, alibi-detect, dcor, GPyTorch and others, in lower case without "_" -> what to use here.
NAMES: dict[str, str] = {
    name: ours
    for names, ours in (
        (
            "mmd mmdrbf mmdloss mmdtest mmddrift maximummeandiscrepancy twosampletest ksample kernelmmd computemmd mmdu"
            " mmdb permutationtest permutation",
            "mmd2(X, Y) is the squared MMD of two samples and mmd_test(X, Y) its permutation test",
        ),
        (
            "ttest ttestind hotelling ks2samp ksdrift lsdd friedmanrafsky drift wasserstein sinkhorn emd kldivergence",
            "mmd_test(X, Y) tests whether two samples differ, and mmd2(X, Y) says how much",
        ),
        (
            "kernelcpd cpd changepoint changepoints changepointdetection changefinder binseg pelt ruptures scanb",
            "scan(X) finds where rows ordered by time change",
        ),
        (
            "ljungbox boxpierce portmanteau durbinwatson acorrljungbox autocorrelation",
            "row_dependence(X) tests whether rows depend on those before them",
        ),
        (
            "mmddriftonline onlinedrift adwin pagehinkley conformalmartingale testmartingale newma",
            "Monitor(reference) watches a stream, batch by batch",
        ),
        (
            "kernelsteindiscrepancy steindiscrepancy stein kernelgof goodnessoffit goodnessoffittest kgof lks kstest"
            " anderson shapiro kolmogorovsmirnov",
            "ksd(X, model) is the kernel Stein discrepancy of a sample from a model and ksd_test(X, model) its test",
        ),
        ("ksdagg", "ksdagg_test(X, model) is the aggregated test of goodness of fit"),
        ("fssd", "fssd_test(X, model) is the test of goodness of fit in linear time"),
        ("mmdagg adaptivemmd", "mmdagg_test(X, Y) is the aggregated test"),
        ("mmdfuse fuse", "mmdfuse_test(X, Y) is the fused test"),
        ("lineartimemmd mmdl lmmd", "linear_time(X, Y) is the MMD in linear time"),
        ("bmmd bmmdtest blockmmd btest", "block_test(X, Y) is the test in blocks"),
        ("ctt compressthentest", "compress_test(X, Y) is the test of few rows that stand for many"),
        ("monk robustmmd", "monk_mmd(X, Y) is the MMD by the median of means and monk_test(X, Y) its test"),
        (
            "hsic hsictest independencetest kerneltest",
            "hsic(X, Y) is HSIC of pairs and hsic_test(X, Y) its permutation test",
        ),
        ("hsicagg hsicagginc adaptivehsic", "hsicagg_test(X, Y) is the aggregated test of independence"),
        (
            "kci kcit kcitest conditionalhsic rcit rcot fastkci fcit conditionalindependence",
            "kci_test(X, Y, Z) tests whether X and Y are independent given Z, gcm_test(X, Y, Z) by covariance alone",
        ),
        (
            "kcd conditionalmmd conditionaltwosample conceptdrift conditionaldiscrepancy cometest",
            "conditional_test(X, Y, X2, Y2) tests whether y given x has changed, and compare(a, b, given=[...]) does so"
            " for tables",
        ),
        (
            "anm additivenoise additivenoisemodel causaldirection pairwisecausality",
            "additive_noise(X, Y) tests both directions of a pair by their residuals",
        ),
        ("gcm generalisedcovariancemeasure generalizedcovariancemeasure", "gcm_test(X, Y, Z) is that test"),
        (
            "jointhsic multihsic dvariablehsic",
            "dhsic([X1, X2, X3]) is HSIC of several samples and dhsic_test([X1, X2, X3]) its permutation test",
        ),
        ("hsicgamma", "explorer.discrepancy.hsic_gamma(X, Y) is HSIC's test without permutations"),
        (
            "energydistance energytest energystatistic disco energy2",
            "the squared energy distance is 2 * mmd2(X, Y, Energy(), 'biased'), and mmd_test(X, Y, Energy()) its test",
        ),
        (
            "dcor dcorr distancecorr",
            "explorer.discrepancy.distance_correlation(X, Y) is the distance correlation and"
            " explorer.discrepancy.distance_test(X, Y) its test",
        ),
        ("dcov", "explorer.discrepancy.distance_covariance(X, Y) is the distance covariance"),
        (
            "medianheuristic mediandistance mediantrick sigmamedian medianpairwisedistance estimatebandwidth",
            "median_bandwidth(X) is the median heuristic, which a kernel takes by itself while its bandwidth is None",
        ),
        (
            "rbf rbfkernel gaussiankernel gaussianrbf squaredexponential expquad exponentiatedquadratic sekernel",
            "Gaussian(bandwidth=1.0) is the RBF kernel exp(-|x - y|² / (2 bandwidth²)), and Gaussian(1.0)(X, Y) its"
            " Gram matrix",
        ),
        ("laplace laplacekernel laplaciankernel abel", "Laplacian(bandwidth=1.0) is that kernel"),
        ("matern32 matern52 matern12 maternkernel", "Matern(nu=1.5) is that kernel, of nu 0.5, 1.5 or 2.5"),
        ("rq rqkernel", "RationalQuadratic(bandwidth=1.0, alpha=1.0) is the nearest kernel"),
        ("imq imqkernel multiquadric", "InverseMultiquadric(scale=1.0, exponent=-0.5) is that kernel"),
        ("dotproduct linearkernel", "Linear() is that kernel"),
        ("poly polykernel", "Polynomial(degree=2) is that kernel"),
        ("ard ardkernel rbfard anisotropicrbf", "ARDGaussian(bandwidths=[1.0, 2.0]) has a bandwidth for each column"),
        ("dirac kronecker kroneckerdelta identitykernel", "Delta() is the kernel of categories"),
        ("stringkernel ssk spectrumkernel subsequencestringkernel", "Subsequence(length=3) is the kernel of strings"),
        ("distancekernel brownian brownianmotion fractionalbrownian", "Energy() is the kernel of distances"),
        (
            "periodic periodickernel expsinesquared cosinekernel cosinesimilarity sigmoid sigmoidkernel whitekernel"
            " deepkernel spectralmixture spectralmixturekernel chi2kernel",
            "a kernel of your own is a subclass of Kernel, which help(Kernel) describes",
        ),
        (
            "grammatrix kernelmatrix pairwisekernels gram",
            "a kernel called on points is their Gram matrix, as in Gaussian(1.0)(X, Y)",
        ),
        ("sumkernel additivekernel", "kernels add, as in Gaussian(1.0) + Linear()"),
        ("productkernel", "kernels multiply, as in Gaussian(1.0) * Linear(), and Product(...) gives each its columns"),
        ("scalekernel constantkernel", "a number times a kernel is a kernel, as in 2.0 * Gaussian(1.0)"),
        (
            "nystroem nystrom nystroemkernel nystromapproximation",
            "low_rank(kernel, X, 'nystrom', rank) is the kernel of finite rank by landmarks, which mmd2, mmd_test and"
            " KME take by approximation='nystrom'",
        ),
        (
            "rbfsampler rff randomfourierfeatures randomfeatures fourierfeature",
            "low_rank(kernel, X, 'features', rank) is the kernel of random Fourier features, which mmd2, mmd_test and"
            " KME take by approximation='features'",
        ),
        ("incompletecholesky pivotedcholesky ichol", "low_rank(kernel, X, 'cholesky', rank) is that kernel"),
        (
            "kernelmean meanembedding kernelmeanembedding empiricalkernelmean meanmap empiricalmean",
            "KME(kernel).embed(X) is the kernel mean of a sample",
        ),
        ("shrinkage shrinkagekme kmse ledoitwolf", "SKMSE(kernel).embed(X) is the shrunk kernel mean of a sample"),
        (
            "huber hampel robustmean irls",
            "RobustKME(kernel).embed(X) is a kernel mean in which far points weigh less",
        ),
        (
            "bayesiankernelmean credibleband posteriormean",
            "BayesianKME(kernel).posterior(X, Z) is the kernel mean at Z with the deviation that the sample leaves",
        ),
        (
            "loocv loo leaveoneout crossvalidation crossvalscore",
            "SKMSE().loocv(X, values) is the leave-one-out score, which lam=None makes least by itself",
        ),
        ("mom medianofmean", "MedianOfMeans(kernel).embed(X) is the kernel mean by the median of means"),
        (
            "svm svc linearsvc supportvectormachine supportvectorclassifier",
            "SupportMeasureMachine() is the support vector machine of bags of points, and scikit-learn's SVC takes the"
            " Gram matrix kernel(X) with kernel='precomputed'",
        ),
        ("oneclasssvm anomalydetector", "OneClassSMM() finds anomalous bags of points"),
        ("smm supportmeasure", "SupportMeasureMachine() classifies bags of points"),
        (
            "kernelridge krr kernelridgeregression gaussianprocess gaussianprocessregressor gpr gp svr",
            "ConditionalEmbedding().fit(X, y).predict(x) is kernel ridge regression",
        ),
        ("distreg distributionridge", "DistributionRegression() learns numbers from bags of points"),
        ("conditionalmeanembedding cme conditionalmean", "ConditionalEmbedding() is the kernel mean of y given x"),
        ("kbr kernelbayes", "KernelBayesRule() and bayes_rule(...) are Bayes' rule of embeddings"),
        ("hmm kernelkalmanfilter kalmanfilter", "HMMFilter() filters a hidden path"),
        ("pca kpca", "KernelPCA() is kernel PCA"),
        ("cca kcca", "KernelCCA() is kernel CCA"),
        ("kmeans", "KernelKMeans() clusters by kernel means"),
        (
            "gmm mixture bayesiangaussianmixture",
            "MixtureDensity() is fitted to a sample, GaussianMixture(...) a distribution",
        ),
        (
            "kde kerneldensity densityestimator",
            "KME(kernel).embed(X).density(Y) is a kernel density estimate",
        ),
        ("maxent", "MaximumEntropy(kernel, eps) is the most even density"),
        ("kernelherding herding", "herd(embedding, m) is kernel herding"),
        ("thinning coreset", "thin(X, m) chooses few points that stand for many"),
        ("mmdcritic mmdcriticism prototypes prototypecriticism", "criticisms(X, thin(X, m).points): what they miss"),
        ("kernelthinning ktsplit ktswap", 'thin(X, m, method="kernel-thinning") is kernel thinning'),
        ("mmdflow mmdgradientflow gradientflow particleflow svgd", "mmd_flow(points, target) lets points flow"),
        (
            "ate treatmenteffect causaleffect counterfactual counterfactualmeanembedding dte",
            "counterfactual_mean(X, y, treated) gives the outcome's embedding under treatment and under control, and"
            " treatment_test(X, y, treated) tests that there is no effect",
        ),
        ("kmm kernelmeanmatching importanceweights densityratio", "CovariateShift() weighs source points"),
        ("labelshift bbse", "TargetShift() weighs source labels"),
        ("witnessfunction", "witness(X, Y) is the witness function"),
        ("student studentst t", "StudentT(df, mean, covariance) is that distribution"),
        ("normal gaussiandistribution multivariatenormal mvn", "GaussianMixture([1.0], [[0.0]], [[1.0]]) is N(0, 1)"),
        ("readcsv loadtable loadcsv", "read_table(path) reads a table"),
        ("fetch loadwine loaddataset fetchopenml", "load(name) brings a data set"),
        ("gridsearch study parametergrid", "sweep(study, axes) computes a function over a grid"),
        ("savehtml tohtml savefig", "save(thing, path) writes a picture as a page that needs no network"),
    )
    for name in names.split()
}

# Keyword arguments of other libraries -> this library's; the first one that the function takes is named.
RENAMED: dict[str, tuple[str, ...]] = {
    name: tuple(ours.split())
    for names, ours in (
        ("random_state seed random_seed generator rng key", "rng seed"),
        (
            "n_permutations num_permutations permutations n_perm n_perms num_resamples n_boot n_bootstrap n_bootstraps"
            " num_bootstrap B reps n_reps n_simulations num_shuffles iterations_permutation resamples",
            "n_resamples replicates",
        ),
        (
            "sigma sigmas length_scale lengthscale lengthscales scale width band_width h theta bw ls",
            "bandwidth bandwidths",
        ),
        ("bandwidth bandwidths", "bandwidths bandwidth"),
        ("kernel kernels kernel_function kernel_fn compute_kernel sim metric dist", "kernel kernel_x kernels"),
        ("kernel1 kernelX kernel_X kernel_a k", "kernel_x kernel kernel_state"),
        ("kernel2 kernelY kernel_Y kernel_b l", "kernel_y kernel_obs"),
        ("biased unbiased bias statistic_type stat", "statistic"),
        ("alpha reg regularization regularisation lmbda lambda_ lambd lamb ridge noise eta epsilon", "lam eps"),
        ("k n_blocks num_blocks block n_splits Q q", "blocks n_clusters n_components groups"),
        ("blocks strata stratum pairs paired within subject subjects permutation_groups", "groups"),
        ("block_size blocksize m", "size"),
        ("n_clusters clusters n_components k components num_components", "n_clusters n_components"),
        ("max_iter max_iters n_iter maxiter steps epochs iters", "iterations rounds steps"),
        ("tol tolerance rtol", "tolerance"),
        ("n_init n_starts restarts", "starts"),
        ("coef0 intercept constant", "offset"),
        ("power order p", "degree order nu"),
        ("smoothness", "nu"),
        ("rank n_landmarks n_features num_features n_inducing", "rank"),
        ("x source data reference X_ref x_ref sample1 samples", "X x samples"),
        ("y target test sample2", "Y y"),
        ("df dof freedom nu", "df"),
        ("mu loc location", "mean means"),
        ("cov sigma2 Sigma variance variances", "covariance covariances"),
        ("path filename file filepath_or_buffer", "path paths"),
        ("usecols features", "columns"),
        ("n_jobs workers n_workers pool", "executor"),
        ("grid param_grid parameters", "axes"),
        ("repeats n_repeats repetitions", "replicates"),
        ("subset n_samples size", "m n"),
        ("sample_weight sample_weights row_weights frequencies", "weights weights_x"),
        ("weights", "weights_x"),
        ("weights_x", "weights"),
    )
    for name in names.split()
}
OF_A_KERNEL = frozenset(
    "gamma sigma sigmas length_scale lengthscale scale width bandwidth bandwidths bw ls nu degree coef0 theta"
    " kernel_params h median".split()
)
OF_A_LEVEL = frozenset("alpha level p_val significance significance_level threshold size".split())
GAMMA = "γ is 1 / (2 bandwidth²) of Gaussian and 1 / bandwidth of Laplacian"

KERNELS: dict[str, str] = {
    word: ours
    for words, ours in (
        ("rbf gaussian gauss se squaredexponential expquad normal", "Gaussian()"),
        ("laplacian laplace l1 exponentialdistance", "Laplacian()"),
        ("matern matern32 maternkernel", "Matern()"),
        ("matern12", "Matern(nu=0.5)"),
        ("matern52", "Matern(nu=2.5)"),
        ("rationalquadratic rq", "RationalQuadratic()"),
        ("inversemultiquadric imq", "InverseMultiquadric()"),
        ("linear dot dotproduct", "Linear()"),
        ("poly polynomial quadratic", "Polynomial()"),
        ("exp exponential", "Exponential()"),
        ("energy distance euclidean brownian", "Energy()"),
        ("delta dirac kronecker categorical identity", "Delta()"),
        ("ard ardgaussian", "ARDGaussian()"),
        ("subsequence string ssk", "Subsequence()"),
        ("precomputed gram", "Precomputed(gram)"),
        ("auto default median", "None, which is Gaussian() with the median heuristic"),
    )
    for word in words.split()
}
ESTIMATORS: dict[str, str] = {
    word: ours
    for words, ours in (
        ("kme empirical mean average plain default auto", "KME()"),
        ("skmse shrinkage shrunk simple jamesstein stein", "SKMSE()"),
        ("fkmse flexible", "FKMSE()"),
        ("spectral spectralkmse tikhonov landweber", "SpectralKMSE()"),
        ("mkme marginalized marginalised", "MKME()"),
        ("mmkme", "MMKME()"),
        ("mom medianofmeans median monk", "MedianOfMeans()"),
        ("robust robustkme huber hampel", "RobustKME()"),
        ("bayes bayesian bayesiankme", "BayesianKME()"),
    )
    for word in words.split()
}
# Class -> (an instance of it in a sentence, the words for its kinds, what to do with other things).
ROLES: dict[str, tuple[str, Mapping[str, str], str]] = {
    "Kernel": ("a kernel such as Gaussian(1.0)", KERNELS, ""),
    "Estimator": ("an estimator of a kernel mean such as SKMSE()", ESTIMATORS, ""),
    "Embedding": ("an Embedding", {}, "a sample's is KME(kernel).embed(X)"),
    "Law": ("a distribution such as GaussianMixture(...)", {}, "for samples take mmd2(X, Y) or KME(kernel).embed(X)"),
    "LevelTwo": ("a kernel of kernel means such as LevelTwo()", {"linear": "LevelTwo()"}, ""),
}


def plain(name: str) -> str:
    """Return a name in the form of the tables: lower case, letters and digits only."""
    return "".join(c for c in name.lower() if c.isalnum())


def attribute(name: str, namespace: Callable[[], Mapping[str, Any]]) -> ModuleType:
    """Import the package or module that an attribute of this package names.

    Parameters
    ----------
    name : str
        The name of the attribute.
    namespace : callable
        Returns all names of the package and their objects.

    Returns
    -------
    module
        The package or module.

    Raises
    ------
    AttributeError
        If there is none.
    ImportError
        If there is none and `from explorer import` asked for it: Python would replace the message of an AttributeError.
    """
    if not name.startswith("_"):
        if find_spec(f"{PACKAGE}.{name}"):
            return import_module(f"{PACKAGE}.{name}")
        if sys._getframe(2).f_code.co_name == "_handle_fromlist":
            raise ImportError(unknown_name_message(name, namespace()), name=PACKAGE)
    raise AttributeError(unknown_name_message(name, namespace()), name=name)


def unknown_name_message(name: str, namespace: Mapping[str, Any]) -> str:
    """Return the message for a name that the package lacks.

    It names the equivalent of another library's name, the package that has the name, or the most similar name.
    """
    begin, key = f"{PACKAGE} has no {name}", plain(name)
    for part in namespace.values():
        thing = getattr(part, name, None) if isinstance(part, ModuleType) else None
        if inspect.isclass(thing) or inspect.isfunction(thing):
            return f"{begin}; it is {part.__name__}.{name}."
    ours = {plain(each): each for each, _ in public(namespace)}
    if key in NAMES:
        return f"{begin}; {NAMES[key]}."
    near = [key] if key in ours else difflib.get_close_matches(key, ours, 1, ALIKE)
    if not near:
        inside = [each for each in _parts_of(name) if each in NAMES or each in ours]
        if inside and inside[0] in NAMES:
            return f"{begin}; {NAMES[inside[0]]}."
        near = inside
    return f"{begin}; did you mean {ours[near[0]]}?" if near else f"{begin}; help({PACKAGE}) lists what it has."


def _parts_of(name):
    """Return the words of a name, such as context, mmd and drift of ContextMMDDrift, and their joined sequences."""
    words = [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+", name)]
    spans = [(i, j) for i in range(len(words)) for j in range(i + 1, len(words) + 1)]
    return sorted(("".join(words[i:j]) for i, j in spans), key=len, reverse=True)


def unknown_keyword_message(word: str, takes: Iterable[str]) -> str:
    """Return the advice for an unknown keyword argument: which argument of `takes` to give; "" without advice."""
    takes = list(takes)
    ours = next((each for each in RENAMED.get(word, ()) if each in takes and each != word), None)
    ours = ours or next((each for each in takes if plain(each) == plain(word)), None)
    if ours is not None:
        return f"here it is {ours}"
    if word == "gamma" and "bandwidth" in takes:
        return f"give bandwidth: {GAMMA}"
    slot = next((each for each in takes if each.startswith("kernel")), None)
    if word in OF_A_KERNEL and slot:
        value = "[Gaussian(1.0), Gaussian(2.0)]" if slot == "kernels" else "Gaussian(bandwidth=1.0)"
        return f"a kernel has its own parameters, as in {slot}={value}{f': {GAMMA}' if word == 'gamma' else ''}"
    if word in OF_A_LEVEL and "n_resamples" in takes:
        return "a level is asked of the result, as in .rejected(level=0.05)"
    if "rng" in RENAMED.get(word, ()):
        return "nothing here is drawn at random"
    if word in RENAMED or word in OF_A_KERNEL:  # a word of another library is not a misspelling
        return ""
    near = difflib.get_close_matches(word, takes, 1)
    return f"did you mean {near[0]}?" if near else ""


def wrong_call(name: str, error: TypeError, given: Iterable[str], takes: Iterable[str]) -> WrongType:
    """Return the refusal of a call that does not fit, with this library's word for another library's keyword."""
    takes = [each for each in takes if each != "self"]
    hints = [hint for word in given if word not in takes and (hint := unknown_keyword_message(word, takes))]
    said = f"{name}: {error}; {f'{hints[0]}; ' if hints else ''}it takes {join_list(takes) or 'no arguments'}."
    return WrongType(said.replace("?; it", "? It"))


def unknown_attribute(name: str, attribute: str, takes: Iterable[str]) -> WrongType:
    """Return the refusal of an attribute that is not a field; setting it would silently have no effect."""
    error = TypeError(f"got an unexpected attribute '{attribute}'")
    return wrong_call(name, error, [attribute], takes)


def refuse_other(value: Any, class_: type, name: str, optional: bool = False) -> None:
    """Refuse a value that is not an instance of a class of this library.

    Parameters
    ----------
    value : object
        The value.
    class_ : type
        The required class.
    name : str
        The argument's name in the message.
    optional : bool, default False
        Whether None is allowed.

    Raises
    ------
    WrongType
        If the value is not an instance.
    """
    if not (isinstance(value, class_) or (value is None and optional)):
        raise wrong_kind(value, class_.__name__, name, optional)


def wrong_kind(value: Any, kind: str, name: str, optional: bool = False) -> WrongType:
    """Return the refusal of a value that is not an instance of a class; it translates words of other libraries.

    Parameters
    ----------
    value : object
        The value.
    kind : str
        The name of the required class.
    name : str
        The argument's name in the message.
    optional : bool, default False
        Whether None is allowed.

    Returns
    -------
    WrongType
        The refusal.
    """
    role, words, way_out = ROLES.get(kind, (f"of the class {kind}", {}, ""))
    given = echo(value)
    if isinstance(value, type):
        given = f"the class {value.__name__}"
        if kind in (each.__name__ for each in value.__mro__):
            way_out = f"give an instance, as {value.__name__}()"
    elif isinstance(value, str) and plain(value) in words:
        way_out = f"give {words[plain(value)]}"
    end = f"; {way_out}." if way_out else "."
    return WrongType(f"{name} must be {role}{', or None' if optional else ''}, not {given}{end}")


def explain_wrong_calls(function: Function) -> Function:
    """Make a public function refuse wrong calls with a helpful message; a decorator.

    A wrong call has unknown keywords, or a value that is not a kernel, estimator, embedding, distribution or source of
    randomness although the annotation requires one. While the function computes, BLAS is limited to one thread.

    Parameters
    ----------
    function : callable
        The function.

    Returns
    -------
    callable
        A function with the same signature and result.
    """
    signature, compute = inspect.signature(function), limit_threads(function)
    name = function.__qualname__.removesuffix(".__init__")

    @functools.cache  # computed at the first call, because a method is made before its class
    def asked() -> list[tuple[str, type, bool, bool]]:
        known = vars(sys.modules[function.__module__])
        annotations = {each.name: str(each.annotation) for each in signature.parameters.values()}
        return [
            (each, known[word], "Sequence[" in annotation, "None" in annotation)
            for each, annotation in annotations.items()
            for word in re.findall(r"\w+", annotation)
            if word in ROLES
        ]

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            given = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise wrong_call(name, error, kwargs, signature.parameters) from None
        for each, class_, several, optional in asked():
            if each in given:
                _refuse_others(given[each], class_, each, several, optional)
        if "rng" in given:
            refuse_other_rng(given["rng"])
        answer = compute(*args, **kwargs)
        record_source(name, answer)
        return answer

    vars(call)["__held__"] = True
    return cast(Function, call)


def _refuse_others(value, class_, name, several, optional):
    """Refuse a value, or the members of a list of values, that are not instances of a class."""
    if not several:
        refuse_other(value, class_, name, optional)
    elif isinstance(value, (str, list, tuple)):
        for each in [value] if isinstance(value, str) else value:  # None may have a meaning in a list
            refuse_other(each, class_, name.removesuffix("s"), optional=True)
