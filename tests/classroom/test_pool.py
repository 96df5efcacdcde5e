"""Tasks on several processes: in order, never many at a time, and none lost to a crash."""

import os
import time

import pytest

from rooflib.classroom.pool import AHEAD, PoolError, Ready, cluster, processes


def double(number):
    return 2 * number


def die(number):
    if number < 0:
        os._exit(3)
    time.sleep(0.05)
    return 2 * number


def fail(number):
    raise ValueError(f"no {number}")


@pytest.fixture(scope="module")
def pool():
    with processes(2) as made:
        yield made


def test_results_come_in_the_order_of_the_tasks(pool):
    assert list(pool.each(double, [(n,) for n in range(20)])) == [((n,), 2 * n) for n in range(20)]


def test_an_exception_is_the_result_of_its_task_alone(pool):
    results = [result for _task, result in pool.each(fail, [(1,), (2,)])]
    assert [str(result) for result in results] == ["no 1", "no 2"]


def test_what_is_known_is_not_run(pool):
    tasks = [(1,), (Ready("known"),), (3,)]
    assert [result for _task, result in pool.each(double, tasks)] == [2, "known", 6]


def test_tasks_are_drawn_as_results_are_taken(pool):
    drawn = []

    def tasks():
        for n in range(100):
            drawn.append(n)
            yield (n,)

    results = pool.each(double, tasks())
    next(results)
    assert len(drawn) <= AHEAD * pool.size + 1
    assert len(list(results)) == 99


def test_a_task_that_takes_its_process_down_loses_only_itself(pool):
    tasks = [(n,) for n in (1, 2, -1, 3, 4, -2, 5, 6, 7)]
    results = [result for _task, result in pool.each(die, tasks)]
    lost = [n for (n,), result in zip(tasks, results, strict=True) if isinstance(result, Exception)]
    assert lost == [-1, -2]
    assert [r for r in results if not isinstance(r, Exception)] == [2, 4, 6, 8, 10, 12, 14]


def test_a_cluster_that_is_not_there_is_said_so():
    with pytest.raises(PoolError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        cluster("tcp://127.0.0.1:9", patience="1s").__enter__()


def test_a_cluster_of_this_machine_does_the_same():
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
        ) as local,
        cluster(local.scheduler_address) as pool,
    ):
        assert [r for _t, r in pool.each(double, [(n,) for n in range(5)])] == [0, 2, 4, 6, 8]
